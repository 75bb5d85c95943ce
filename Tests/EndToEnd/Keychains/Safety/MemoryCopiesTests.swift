import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// How many copies of a secret, of a passphrase and of the machine key stand in a program's memory: while
/// it writes its answer, and when it ends.
///
/// Only the answer itself may be there when it is written, once and kept off the disk; and nothing at the
/// end.
@Suite(.needs(.unsanitized, .root, .python, .debuggerStops), .timeLimit(.minutes(10)))
struct MemoryCopiesTests {
    let home: ScratchHome
    private static let secret = "marked-secret-quokka-0123456789abcdef"
    private static let passphrase = "marked-passphrase-wombat-0123456789abcdef"

    init() throws {
        home = try ScratchHome()
    }

    /// One run of a program.
    struct Use: Sendable, CustomTestStringConvertible {
        let program: Executable
        let arguments: [String]
        var input = ""
        var variables: [String: String] = [:]
        /// Whether its answer has the secret in it.
        var answersSecret = false

        var testDescription: String { "\(program) \(arguments.joined(separator: " "))" }
    }

    private static let uses: [Use] = [
        Use(program: .git, arguments: ["store"], input: Executable.git.login(secret)),
        Use(program: .git, arguments: ["get"], input: Executable.git.question, answersSecret: true),
        Use(program: .docker, arguments: ["store"], input: Executable.docker.login(secret)),
        Use(
            program: .docker, arguments: ["get"], input: Executable.docker.question,
            answersSecret: true),
        Use(program: .docker, arguments: ["list"]),
        Use(program: .lanyard, arguments: ["set", "example", "--stdin"], input: secret),
        Use(program: .lanyard, arguments: ["get", "example"], answersSecret: true),
        Use(program: .lanyard, arguments: ["get", "example", "--json"], answersSecret: true),
        Use(program: .lanyard, arguments: ["list"]),
        Use(program: .lanyard, arguments: ["status"]),
        Use(program: .lanyard, arguments: ["keychain", "copy", "login", "example"]),
        Use(program: .lanyard, arguments: ["get", "example"], answersSecret: true),
        Use(
            program: .lanyard, arguments: ["get", "example", "--keychain", "example"],
            answersSecret: true),
        Use(
            program: .lanyard, arguments: ["passphrase", "set", "--new-passphrase-file", "PASS"]),
        Use(
            program: .lanyard, arguments: ["get", "example"],
            variables: ["LANYARD_PASSPHRASE_FILE": "PASS"], answersSecret: true),
        Use(
            program: .git, arguments: ["get"], input: Executable.git.question,
            variables: ["LANYARD_PASSPHRASE_FILE": "PASS"], answersSecret: true),
        Use(
            program: .docker, arguments: ["get"], input: Executable.docker.question,
            variables: ["LANYARD_ASKPASS": "ASKPASS"], answersSecret: true),
        Use(
            program: .lanyard, arguments: ["unlock", "--timeout", "10m"],
            variables: ["LANYARD_PASSPHRASE_FILE": "PASS"]),
        Use(program: .git, arguments: ["erase"], input: Executable.git.question),
        Use(program: .docker, arguments: ["erase"], input: Executable.docker.question),
        Use(program: .lanyard, arguments: ["remove", "example", "--keychain", "login"]),
        Use(program: .lanyard, arguments: ["lock", "--all"]),
    ]

    private func scan() throws -> MemoryScan {
        var words = [
            "secret": MemoryScan.forms(Self.secret),
            "passphrase": MemoryScan.forms(Self.passphrase),
        ]
        if let key = try? home.read(home.machineKey) {
            // Of memory that an allocator took back the first bytes are written over.
            words["machine key"] = [Data(key[16...])]
        }
        return MemoryScan(words: words)
    }

    private func check(_ moments: [MemoryScan.Moment], _ use: Use) {
        let ours = moments.filter { $0.program == use.program.name }
        #expect(ours.filter(\.isEnd).count == 1, "\(use.testDescription): \(moments)")
        for moment in ours {
            let secrets = moment.copies["secret", default: []]
            let isAnswer = !moment.isEnd && use.answersSecret
            #expect(secrets.count == (isAnswer ? 1 : 0), "\(use.testDescription): \(moment)")
            #expect(!secrets.contains { !$0.isLocked }, "\(use.testDescription): \(moment)")
            #expect(moment.copies["passphrase"] == nil, "\(use.testDescription): \(moment)")
            let keys = moment.copies["machine key", default: []]
            #expect(
                moment.isEnd ? keys.isEmpty : keys.count <= 2, "\(use.testDescription): \(moment)")
        }
        if use.answersSecret {
            #expect(ours.contains { !$0.isEnd }, "\(use.testDescription): \(moments)")
        }
        let scanned = ours.reduce(0) { $0 + $1.scanned }
        print("\(use.testDescription): \(ours.count) moments, \(scanned >> 10) KiB")
    }

    @Test func noneButTheAnswer() async throws {
        try await home.makePluginKeychains("example")
        let passphrase = try home.write("\(Self.passphrase)\n", to: "given-passphrase")
        let askpass = try AskpassProgram(home, answers: [Self.passphrase])
        func filled(_ text: String) -> String {
            ["PASS": passphrase, "ASKPASS": askpass.path][text] ?? text
        }
        try await home.forgettingKeys {
            for use in Self.uses {
                let moments = try await scan().moments(
                    of: [use.program.name] + use.arguments.map(filled), in: home
                ) { [home] arguments in
                    let outcome = try await home.command(
                        arguments[0], Array(arguments.dropFirst()), input: Array(use.input.utf8),
                        variables: use.variables.mapValues(filled)
                    ).run()
                    #expect(outcome.status == 0, "\(use.testDescription): \(outcome)")
                    #expect(outcome.outputText.contains(Self.secret) == use.answersSecret)
                    #expect(!outcome.errorText.contains("marked"), "\(outcome)")
                }
                check(moments, use)
            }
        }
    }

    /// A secret that the user types, and a passphrase.
    @Test func noneOfWhatIsTyped() async throws {
        let use = Use(program: .lanyard, arguments: ["set", "typed"])
        let session = { [home] (arguments: [String]) in
            let script = "\"$@\""
            let dialogue = Dialogue(home: home, variables: ["TERM": "xterm"])
            let ended = try await dialogue.run(
                script, arguments: arguments,
                steps: [
                    .asked("secret for typed: "), .types("\(Self.secret)\n"), .asked("again: "),
                    .types("\(Self.secret)\n"),
                ])
            ended.expect(status: 0)
            #expect(!ended.shown.contains("quokka"), "\(ended)")
        }
        check(
            try await scan().moments(of: ["lanyard", "set", "typed"], in: home, shows: session), use
        )
    }

    /// A scan has the secrets in several forms while it runs, and ends with a status of its own.
    @Test(arguments: [["scan"], ["scan", "--json"], ["scan", "--staged"]])
    func noneOfWhatAScanFinds(_ arguments: [String]) async throws {
        try await home.configureGit()
        try await home.set("found", "ada", secret: Self.secret)
        let login = Data("ada:\(Self.secret)".utf8).base64EncodedString()
        try await home.shell(
            """
            cd "$HOME"
            git init -q
            printf 'x\\ny %s\\n' "$1" >plain
            printf '%s' "$2" >base64
            printf 'https://ada:%s@example.com\\n' "$1" >.git-credentials
            printf 'github.com:\\n    oauth_token: %s\\n' "$1" >hosts.yml
            git add .
            """, Self.secret, login)
        let use = Use(program: .lanyard, arguments: arguments)
        let moments = try await scan().moments(of: ["lanyard"] + arguments, in: home) {
            [home] command in
            let outcome = try await home.command(
                "sh", ["-c", "cd \"$HOME\" && exec \"$@\"", "sh"] + command
            ).run()
            #expect(outcome.status == 1, "\(outcome)")
            #expect(outcome.outputText.contains("plain"), "\(outcome)")
            #expect(!(outcome.outputText + outcome.errorText).contains("quokka"), "\(outcome)")
        }
        check(moments, use)
    }

    /// The search finds what is there, or its silence would prove nothing.
    @Test func theSearchFindsWhatIsThere() async throws {
        let moments = try await scan().moments(of: ["cat"], in: home) { [home] arguments in
            _ = try await home.command(
                arguments[0], Array(arguments.dropFirst()), input: Array(Self.secret.utf8)
            ).run()
        }
        #expect(moments.count == 2)
        #expect(moments.first?.copies["secret"]?.isEmpty == false, "\(moments)")
    }
}
