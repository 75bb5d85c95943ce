import Foundation
import Testing

/// Debian's docker-registry on a loopback port, with the login me:pw.
final class LoopbackRegistry {
    let address: String
    private let process: pid_t

    static let isInstalled = SetupHome.path(of: "docker-registry") != nil

    init(_ home: SetupHome) async throws {
        try home.write(
            "../htpasswd", "me:$2y$05$EWdbRqXpIbzKkgihPbHE0OLcZNSujcsvFuHogK0M1DHgGt6ELYPw6\n")
        let script = """
            import socket, subprocess, sys, time, urllib.error, urllib.request
            folder = sys.argv[1]
            for attempt in range(5):
                with socket.socket() as s:
                    s.bind(("127.0.0.1", 0))
                    address = "127.0.0.1:%d" % s.getsockname()[1]
                with open(folder + "/registry.yml", "w") as f:
                    f.write('''version: 0.1
            storage: {filesystem: {rootdirectory: %s/registry}}
            http: {addr: %s}
            auth: {htpasswd: {realm: r, path: %s/htpasswd}}
            ''' % (folder, address, folder))
                log = open(folder + "/registry.log", "wb")
                p = subprocess.Popen(["docker-registry", "serve", folder + "/registry.yml"],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
                for wait in range(200):
                    try:
                        urllib.request.urlopen("http://%s/v2/" % address, timeout=5)
                    except urllib.error.HTTPError as e:
                        if e.code == 401:
                            print(address, p.pid)
                            sys.exit(0)
                    except OSError:
                        if p.poll() is not None:
                            break
                    time.sleep(0.05)
                p.kill()
            sys.exit("the registry does not start")
            """
        let result = try await home.run("python3", ["-c", script, home.folder])
        let words = result.output.split(separator: " ")
        try #require(result.succeeded && words.count == 2, "\(result.errors)")
        address = String(words[0])
        process = try #require(pid_t(words[1].trimmingCharacters(in: .newlines)))
    }

    deinit {
        kill(process, SIGKILL)
    }
}

extension SetupHome {
    /// Has the stand-in for docker-credential-lanyard keep logins in a folder and note each call.
    func keepDockerLogins() throws {
        try script(
            "docker-credential-lanyard",
            """
            exec python3 - "$1" '\(folder)/logins' 3<&0 <<'EOF'
            import json, os, sys
            operation, folder = sys.argv[1:]
            text = os.fdopen(3).read().strip()
            os.makedirs(folder, exist_ok=True)
            path = lambda url: os.path.join(folder, url.replace("/", "_"))
            open(folder + ".calls", "a").write(operation + "\\n")
            if os.path.exists(folder + ".locked") and operation == "store":
                sys.exit(print("the keychain is locked") or 1)
            if operation == "store":
                open(path(json.loads(text)["ServerURL"]), "w").write(text)
            elif operation == "get":
                if not os.path.exists(path(text)):
                    sys.exit(print("credentials not found in native keychain") or 1)
                print(open(path(text)).read())
            elif operation == "erase" and os.path.exists(path(text)):
                os.remove(path(text))
            EOF
            """)
    }

    /// The logins that the stand-in keeps.
    var logins: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/logins").sorted()) ?? []
    }
}
