import Foundation
import Testing

/// A private key in the keychain is a secret like a password: locked with it, and nowhere else.
@Suite(.needs(.openssl), .timeLimit(.minutes(10)))
struct PrivateKeySafetyTests {
    let home: ScratchHome
    let certificates: ClientCertificates

    init() async throws {
        home = try ScratchHome()
        certificates = try await ClientCertificates(in: home)
        try await home.shell(
            "lanyard certificate import --passphrase-file \"$1/password\" \"$1/ada.p12\" >/dev/null",
            certificates.folder)
    }

    @Test func onlyThePrivateKeyIsLocked() async throws {
        let passphrase = try home.write("a passphrase", to: "passphrase")
        let set = try await home.lanyard("passphrase", "set", "--new-passphrase-file", passphrase)
        #expect(set.status == 0, "\(set)")
        let locked = try await home.lanyard("lock", "--all")
        #expect(locked.status == 0, "\(locked)")
        for arguments in [
            ["certificate", "list"], ["certificate", "show", "ada"], ["identity", "list"],
            ["key", "list"], ["key", "show", "ada"], ["certificate", "export", "ada", "-"],
        ] {
            let outcome = try await home.command(
                "lanyard", arguments, variables: ["LANYARD_NO_PROMPT": "1"]
            ).run()
            #expect(outcome.status == 0 && outcome.outputText.contains("\n"), "\(outcome)")
        }
        for arguments in [
            ["exec", "--identity", "I=ada", "--", "true"],
            ["exec", "--private-key", "K=ada", "--", "true"],
            ["key", "export", "--plain-text", "ada", "-"],
        ] {
            let outcome = try await home.command(
                "lanyard", arguments, variables: ["LANYARD_NO_PROMPT": "1"]
            ).run()
            #expect(outcome.status == 36 && outcome.outputText == "", "\(outcome)")
        }
        let kubectl = try await home.command(
            "kubectl-credential-lanyard", ["ada"], variables: ["LANYARD_NO_PROMPT": "1"]
        ).run()
        #expect(kubectl.status == 1 && kubectl.outputText == "", "\(kubectl)")
        let opened = try await home.lanyard(
            "exec", "--private-key", "K=ada", "--", "grep", "-c", "PRIVATE KEY", "{K}",
            variables: ["LANYARD_PASSPHRASE_FILE": passphrase])
        #expect(opened.outputText == "2\n", "\(opened)")
    }

    /// The whole of a run with exec is looked at while the program runs.
    @Test func isOnNoDiskAndInNoArgument() async throws {
        let marks = try certificates.marks(of: "ada.key")
        let before = try Snapshot(home.lanyard)
        let outcome = try await home.lanyard(
            "exec", "--identity", "I=ada", "--private-key", "K=ada", "--", "sh", "-c",
            #"cat "$I" "$K"; tr '\0' '\n' <"/proc/$$/cmdline"; tr '\0' '\n' <"/proc/$$/environ""#,
            "sh", "{I}", "{K}")
        #expect(outcome.status == 0, "\(outcome.errorText)")
        let parts = outcome.outputText.components(separatedBy: "-----END PRIVATE KEY-----\n")
        try #require(parts.count == 3)
        #expect(parts[0].contains("-----BEGIN PRIVATE KEY-----"))
        // Both files are the key itself; what follows are the arguments and the environment.
        let mark = String(decoding: marks[0], as: UTF8.self)
        #expect(parts[0].contains(mark) && parts[1].contains(mark) && !parts[2].contains(mark))
        #expect(parts[2].contains("/proc/self/fd/"))
        #expect(try Snapshot(home.lanyard).contentDifferences(from: before) == [])
        for folder in [home.lanyard, "\(home.path)/home", home.runtime] {
            let files = FileManager.default.enumerator(atPath: folder)
            while let name = files?.nextObject() as? String {
                guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                    continue
                }
                for mark in marks {
                    #expect(data.range(of: mark) == nil, "\(folder)/\(name)")
                }
            }
        }
    }

    /// Each is killed while the pipe that it writes the key to is full.
    @Test(
        .needs(.ownSignals),
        arguments: ["kubectl-credential-lanyard ada", "lanyard key export --plain-text ada -"])
    func isInNoCoreFile(command: String) async throws {
        let outcome = try await home.command(
            "bash",
            [
                "-c",
                """
                mkdir "$1/cores"
                cd "$1/cores"
                ulimit -c unlimited
                mkfifo "$1/fifo"
                exec 9<>"$1/fifo"
                head -c 65536 /dev/zero >&9
                $2 >&9 2>"$1/error" &
                for _ in $(seq 100); do
                    sleep 0.1
                    grep -q pipe "/proc/$!/wchan" && break
                done
                grep '^Max core file size' "/proc/$!/limits"
                kill -SYS $!
                wait $!
                echo "status $?"
                ls
                """, "bash", home.path, command,
            ]
        ).run()
        let lines = outcome.outputText.split(separator: "\n")
        try #require(lines.count == 2, "\(outcome)")
        #expect(lines[0].wholeMatch(of: #/Max core file size +0 +0 .*/#) != nil, "\(outcome)")
        #expect(lines[1] == "status 159", "\(outcome)")
    }
}
