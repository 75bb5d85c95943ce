import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// Nothing of a private key is on the disk, in arguments, in variables, in a core file, or in memory after it
/// was used.
@Suite(.needs(.openssl), .timeLimit(.minutes(10)))
struct PrivateKeySecrecyTests {
    let home: ScratchHome
    let made: MadeCertificates
    private let forms: PrivateKeyForms
    private let user = MadeCertificates.user

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
        forms = try await PrivateKeyForms(made, home)
    }

    /// The uses of a key; FILE is a file to write.
    private var uses: [[String]] {
        [
            ["lanyard", "certificate", "import", made.path("bundle.pem")],
            ["lanyard", "certificate", "import", made.path("bundle.pem")],
            ["lanyard", "certificate", "list"], ["lanyard", "certificate", "show", user],
            ["lanyard", "identity", "list"], ["lanyard", "key", "list", "--json"],
            ["lanyard", "key", "show", user],
            ["lanyard", "certificate", "export", "--chain", user, "-"],
            [
                "lanyard", "certificate", "export", "--pkcs12", "--passphrase-file",
                made.path("p12.password"), user, "\(home.path)/home/ada.p12",
            ],
            [
                "lanyard", "key", "export", "--passphrase-file", made.path("key.password"), user,
                "\(home.path)/home/ada.key",
            ],
            [
                "lanyard", "exec", "--identity", "I=\(user)", "--private-key", "K=\(user)", "--",
                "sh", "-c", "test -s \"$I\" && test -s \"$K\"",
            ],
            ["kubectl-credential-lanyard", user],
            ["lanyard", "key", "export", "--plain-text", user, "-"],
            ["lanyard", "key", "generate", "another"],
            ["lanyard", "certificate", "remove", "--key", user],
        ]
    }

    @Test func nothingOnTheDisk() async throws {
        for use in uses {
            let outcome = try await home.command(use[0], Array(use.dropFirst())).run()
            #expect(outcome.status == 0, "\(outcome)")
            let files = try Snapshot(home.path).contents.filter {
                !$0.key.hasPrefix("certificates/")
            }
            #expect(files.keys.contains("lanyard/data/login.keychain"))
            #expect(forms.search(files) == [], "\(use)")
        }
        // The search finds what is there, or its silence would prove nothing.
        let plain = ["key": try home.read(made.path("ada.key"))]
        #expect(forms.search(plain) == ["PEM in key"])
    }

    @Test(.needs(.secretsOfProcesses)) func nothingInArgumentsAndVariables() async throws {
        try await home.importCertificates(
            made.path("bundle.pem"), expecting: "1 key, 3 certificates")
        let command = try home.command(
            "lanyard",
            [
                "exec", "--identity", "I=\(user)", "--private-key", "K=\(user)", "--", "sh", "-c",
                "sh -c 'echo ready; read -r line; cat \"$K\"' sh \"$1\"", "sh", "{K}",
            ])
        let (outcome, seen) = try await command.run { [home, forms] process in
            try await home.waitUntilBlocked(process, in: "sh")
            var texts: [String: [UInt8]] = [:]
            for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc")
            where Int(entry) != nil {
                for name in ["cmdline", "environ"] {
                    // Processes end meanwhile.
                    texts["\(entry)/\(name)"] = try? home.read("/proc/\(entry)/\(name)")
                }
            }
            let own = String(decoding: texts["\(process)/environ"] ?? [], as: UTF8.self)
            #expect(own.contains("\0K=/proc/\(process)/fd/"), "\(own)")
            return forms.search(texts)
        }
        #expect(seen == [])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(forms.search(["output": outcome.output]) == ["PEM in output"], "\(outcome)")
    }

    /// A program that writes a private key into a pipe that is full, and is killed then.
    @Test(
        .needs(.ownSignals, .python),
        arguments: ["kubectl-credential-lanyard", "lanyard key export --plain-text"])
    func nothingInACoreFile(program: String) async throws {
        try await home.importCertificates(
            made.path("bundle.pem"), expecting: "1 key, 3 certificates")
        // kubectl's helper goes on as lanyard.
        let name = "lanyard"
        let output = program.contains(" ") ? "-" : ""
        try await home.shell("mkdir \"$1/cores\"; mkfifo \"$1/fifo\"", home.path)
        // A debug build would tell of its end at length.
        let terminal = Dialogue(home: home, variables: ["SWIFT_BACKTRACE": "enable=no"])
        let session = try await terminal.run(
            """
            ulimit -c unlimited
            exec 9<>"$1/fifo"
            cd "$1/cores"
            python3 -c 'import os; os.set_blocking(9, False)
            try:
                while True: os.write(9, bytes(4096))
            except BlockingIOError: os.set_blocking(9, True)'
            \(program) "$2" \(output) 2>"$1/warning" >&9 &
            quiet=0
            until [ $quiet = 5 ]; do
                sleep 0.05
                case $(cut -d ' ' -f 2,3 /proc/$!/stat) in
                "($3) S") quiet=$((quiet + 1)) ;;
                *) quiet=0 ;;
                esac
            done
            echo blocked
            wait $!
            """, home.path, user, name,
            steps: [
                .sees("blocked"),
                .looks("grep '^Max core file size' \"/proc/$1/limits\"", at: name),
                .sends(SIGSEGV, to: name),
            ])
        session.expect(status: 128 + SIGSEGV)
        #expect(
            session.seen.first?.wholeMatch(of: /Max core file size +0 +0 .*\n/) != nil, "\(session)"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(home.path)/cores") == [])
    }
}

/// How many copies of a private key stand in a program's memory: while it writes its answer, and when it ends.
@Suite(
    .needs(.unsanitized, .root, .python, .debuggerStops, .openssl),
    .timeLimit(.minutes(10)))
struct PrivateKeyMemoryTests {
    let home: ScratchHome
    let made: MadeCertificates
    private let forms: PrivateKeyForms
    private let user = MadeCertificates.user

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
        forms = try await PrivateKeyForms(made, home)
    }

    private func moments(of use: [String]) async throws -> [MemoryScan.Moment] {
        // Of memory that an allocator took back the first bytes are written over.
        let scan = MemoryScan(words: [
            "number": [forms.number.dropFirst(16), Data(forms.number.reversed().dropFirst(16))],
            "PEM": [forms.forms["PEM"] ?? Data()],
        ])
        let moments = try await scan.moments(of: use, in: home) { [home] arguments in
            let outcome = try await home.command(
                arguments[0], Array(arguments.dropFirst()),
                // As release builds are: the dynamic linker saves registers on the stack.
                variables: ["LD_BIND_NOW": "1"]
            ).run()
            #expect(outcome.status == 0, "\(use): \(outcome)")
        }
        // kubectl's helper goes on as lanyard.
        let program = use[0].hasSuffix("lanyard") ? "lanyard" : use[0]
        let ours = moments.filter { $0.program == program }
        #expect(ours.contains { $0.isEnd }, "\(moments)")
        return ours
    }

    @Test func noneButTheAnswer() async throws {
        for (use, isAnswer) in [
            (["lanyard", "certificate", "import", made.path("bundle.pem")], false),
            (["lanyard", "certificate", "import", made.path("bundle.pem")], false),
            (["lanyard", "certificate", "list"], false), (["lanyard", "key", "list"], false),
            (["lanyard", "key", "show", user], false),
            (
                [
                    "lanyard", "key", "export", "--passphrase-file", made.path("key.password"),
                    user, "-",
                ], false
            ),
            (
                [
                    "lanyard", "certificate", "export", "--pkcs12", "--passphrase-file",
                    made.path("p12.password"), user, "\(home.path)/ada.p12",
                ], false
            ),
            (["lanyard", "key", "export", "--plain-text", user, "-"], true),
            (["kubectl-credential-lanyard", user], true),
        ] as [([String], Bool)] {
            let moments = try await moments(of: use)
            for moment in moments {
                let texts = moment.copies["PEM", default: []]
                #expect(texts.count == (isAnswer && !moment.isEnd ? 1 : 0), "\(use): \(moment)")
                #expect(!texts.contains { !$0.isLocked }, "\(use): \(moment)")
                #expect(moment.copies["number"] == nil, "\(use): \(moment)")
            }
            #expect(!isAnswer || moments.contains { !$0.isEnd }, "\(use): \(moments)")
        }
    }

    /// The search finds what is there, or its silence would prove nothing.
    @Test func theSearchFindsWhatIsThere() async throws {
        let moments = try await moments(of: ["cat", made.path("ada.key")])
        #expect(moments.contains { $0.copies["PEM"]?.isEmpty == false }, "\(moments)")
    }
}
