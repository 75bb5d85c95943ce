#if SecretService
import Foundation
import Testing
@testable import EndToEndRig
import TestSupport

/// Real clients of the Secret Service, without a display, and Lanyard's own helpers beside them.
@Suite(.timeLimit(.minutes(5)), .needs(.privateBus))
struct ServiceClientTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// Runs a script on a bus with the service, which has to succeed.
    private func expect(
        _ script: String, _ answer: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await home.lanyard(
            "exec", "--secret-service", "--", "sh", "-ec", script)
        #expect(
            outcome.status == 0 && outcome.outputText == answer, "\(outcome)",
            sourceLocation: sourceLocation)
    }

    // MARK: secret-tool

    @Test func secretTool() async throws {
        try await expect(
            """
            printf one | secret-tool store --label='An item' service s account a
            printf two | secret-tool store --label='An item' service s account b
            printf new | secret-tool store --label='Another' service s account a
            secret-tool lookup service s account a; echo
            secret-tool search --all service s 2>/dev/null | grep -c '^secret = '
            secret-tool clear service s account a
            ! secret-tool lookup service s account a
            secret-tool lookup service s; echo
            """, "new\n2\ntwo\n")
        expectAnswer(try await home.lanyard("get", "s", "b"), "two\n")
    }

    /// Lines and bytes as they are, also none.
    @Test(arguments: ["", " ", "a\nb\n", "ü€", "\u{1}\u{7f}"])
    func secretToolKeeps(_ secret: String) async throws {
        _ = try home.write(secret, to: "secret")
        try await expect(
            """
            secret-tool store --label=x service s <'\(home.path)/secret'
            secret-tool lookup service s | cmp - '\(home.path)/secret' && echo same
            """, "same\n")
    }

    @Test func whatLanyardStored() async throws {
        try await home.set("one", "a", secret: "first")
        try await expect(
            """
            secret-tool lookup service one account a; echo
            printf second | secret-tool store --label=one service one account a
            """, "first\n")
        expectAnswer(try await home.lanyard("get", "one", "a"), "second\n")
    }

    // MARK: git and docker

    @Test(.needs(.gitLibsecret)) func gitsHelperBothWays() async throws {
        let request = "protocol=https\\nhost=git.example:8443\\nusername=ada\\n"
        try await expect(
            """
            theirs=\(GitLibsecret.program)
            # What it stores it prints, too.
            printf '\(request)password=one\\n' | $theirs store >/dev/null
            printf '\(request)' | git-credential-lanyard get
            printf '\(request)password=two\\n' | git-credential-lanyard store
            printf '\(request)' | $theirs get
            printf '\(request)' | $theirs erase >/dev/null
            printf '\(request)' | git-credential-lanyard get
            printf '\(request)password=three\\n' | $theirs store >/dev/null
            printf '\(request)' | git-credential-lanyard erase
            printf '\(request)' | $theirs get
            """,
            "username=ada\npassword=one\nusername=ada\npassword=two\nusername=ada\n")
    }

    @Test(.needs(.dockerSecretService)) func dockersHelperBothWays() async throws {
        try await expect(
            """
            theirs=docker-credential-secretservice ours=docker-credential-lanyard
            login() { printf '{"ServerURL":"%s","Username":"u","Secret":"%s"}\\n' "$1" "$2"; }
            login https://a.example/v1/ one | $theirs store
            login b.example:5000 two | $ours store
            for url in https://a.example/v1/ b.example:5000; do
                echo $url | $theirs get
                echo $url | $ours get
            done
            $theirs list
            $ours list
            echo https://a.example/v1/ | $ours erase
            echo b.example:5000 | $theirs erase
            $theirs list
            $ours list
            """,
            """
            {"ServerURL":"https://a.example/v1/","Username":"u","Secret":"one"}
            {"ServerURL":"https://a.example/v1/","Username":"u","Secret":"one"}
            {"ServerURL":"b.example:5000","Username":"u","Secret":"two"}
            {"ServerURL":"b.example:5000","Username":"u","Secret":"two"}
            {"b.example:5000":"u","https://a.example/v1/":"u"}
            {"b.example:5000":"u","https://a.example/v1/":"u"}
            {}
            {}

            """)
    }

    // MARK: Libraries

    @Test(.needs(.pythonKeyring)) func pythonKeyring() async throws {
        _ = try home.write(
            """
            import keyring
            from keyring.backends import SecretService
            assert SecretService.Keyring.viable
            keyring.set_keyring(SecretService.Keyring())
            assert keyring.get_password("s", "u") is None
            keyring.set_password("s", "u", "one")
            keyring.set_password("s", "u", "two")
            keyring.set_password("s", "v", "ü\\n")
            assert keyring.get_password("s", "u") == "two"
            assert keyring.get_password("s", "v") == "ü\\n"
            assert keyring.get_credential("s", None).username in ("u", "v")
            keyring.delete_password("s", "v")
            assert keyring.get_password("s", "v") is None
            """, to: "client.py")
        try await expect("/usr/bin/python3 '\(home.path)/client.py'", "")
        expectAnswer(try await home.lanyard("get", "s", "u"), "two\n")
    }

    @Test(.needs(.pythonGLib)) func goKeyring() async throws {
        let client = "\(Repository.path)/Tests/EndToEnd/BusClients/go_keyring.py"
        try await expect(
            """
            client='/usr/bin/python3 \(client)'
            ! $client get gh:github.com ada 2>/dev/null
            $client set gh:github.com ada one
            $client set gh:github.com ada two
            $client get gh:github.com ada
            """, "two\n")
        expectAnswer(try await home.lanyard("get", "gh:github.com", "ada"), "two\n")
        try await expect(
            "/usr/bin/python3 \(client) delete gh:github.com ada; secret-tool search --all x y", "")
    }

    /// Evolution's library, with which it stores the passwords of mail and calendars.
    @Test(.needs(.evolution)) func evolution() async throws {
        let client = "\(Repository.path)/Tests/EndToEnd/BusClients/evolution.py"
        try await expect("/usr/bin/python3 '\(client)'", "")
        let listed = try await home.lanyard("list")
        let rows = listed.outputText.split(separator: "\n").dropFirst()
        #expect(rows.count == 1 && rows.first?.contains("org.gnome.Evolution") == true, "\(listed)")
    }

    // MARK: Browsers

    /// Chromium encrypts cookies with a key that it keeps in the Secret Service: a later start can read them.
    @Test(.needs(.chromium)) func chromium() async throws {
        let server = try home.write(
            """
            import http.server, subprocess, sys
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    self.send_response(200)
                    self.send_header("Set-Cookie", "name=value; Max-Age=86400")
                    self.end_headers()
                    self.wfile.write(b"cookie: " + self.headers.get("Cookie", "none").encode())
                def log_message(self, *arguments):
                    pass
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            import threading
            threading.Thread(target=server.serve_forever, daemon=True).start()
            arguments = sys.argv[1:] + [f"http://127.0.0.1:{server.server_port}/"]
            sys.exit(subprocess.run(arguments, timeout=60).returncode)
            """, to: "server.py")
        let browser =
            "chromium --headless --no-sandbox --disable-gpu --password-store=gnome-libsecret "
            + "--user-data-dir='\(home.path)/profile' --dump-dom"
        for cookie in ["none", "name=value"] {
            let outcome = try await home.lanyard(
                "exec", "--secret-service", "--", "sh", "-c",
                "exec /usr/bin/python3 '\(server)' \(browser)")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.outputText.contains("cookie: \(cookie)"), "\(outcome)")
        }
        let key = try await home.lanyard("get", "chromium")
        #expect(key.status == 0 && key.output.count > 16)
    }
}

/// git's helper for libsecret, built once of the source that comes with git.
private enum GitLibsecret {
    static var program: String { "\(folder ?? "")/git-credential-libsecret" }

    static let folder: String? = {
        let folder = "/tmp/lanyard-git-libsecret-\(UUID().uuidString)"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-ec",
            "cp -r /usr/share/doc/git/contrib/credential/libsecret \"$0\"; make -s -C \"$0\" CFLAGS=-w",
            folder,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else {
            return nil
        }
        process.waitUntilExit()
        atexit {
            if let folder = GitLibsecret.folder {
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
        return process.terminationStatus == 0 ? folder : nil
    }()
}

extension Need {
    fileprivate static let gitLibsecret = Need(
        missing: "git-credential-libsecret can't be built here"
    ) { GitLibsecret.folder != nil }

    fileprivate static let pythonKeyring = Need(missing: "there is no Python keyring") {
        try await succeeds("/usr/bin/python3", "-c", "import keyring, secretstorage")
    }

    fileprivate static let chromium = Need(missing: "there is no chromium") {
        try await succeeds("chromium", "--version")
    }

    fileprivate static let evolution = Need(missing: "there is no library of Evolution") {
        try await succeeds(
            "/usr/bin/python3", "-c",
            "import gi; gi.require_version('EDataServer', '1.2'); from gi.repository import EDataServer"
        )
    }

    fileprivate static let pythonGLib = Need(missing: "there is no GLib for Python") {
        try await succeeds("/usr/bin/python3", "-c", "from gi.repository import Gio")
    }
}
#endif
