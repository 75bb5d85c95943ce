#if SecretService
import TestSupport
import Testing

/// A home with a session bus and, mostly, a gnome-keyring; nothing is configured.
struct DesktopSession: Sendable {
    let home: ScratchHome
    let service: PrivateSecretService

    init(
        _ daemon: PrivateSecretService.Daemon? = .unlocked, hasDisplay: Bool = false
    ) throws {
        home = try ScratchHome()
        service = try PrivateSecretService(daemon, hasDisplay: hasDisplay)
    }

    /// What a program in the session has in its environment.
    var variables: [String: String?] {
        [
            "DBUS_SESSION_BUS_ADDRESS": service.address,
            "XDG_RUNTIME_DIR": "\(service.folder)/run",
            "DISPLAY": service.display,
        ]
    }

    /// Runs a program in the session.
    func run(
        _ program: String, _ arguments: String..., input: String = "",
        variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await home.command(
            program, arguments, input: Array(input.utf8),
            variables: self.variables.merging(variables) { $1 }
        ).run()
    }

    /// Runs a program that has to succeed in silence.
    func expect(
        _ program: String, _ arguments: String..., input: String = "", answer: String = "",
        variables: [String: String?] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await home.command(
            program, arguments, input: Array(input.utf8),
            variables: self.variables.merging(variables) { $1 }
        ).run()
        expectAnswer(outcome, answer, sourceLocation: sourceLocation)
    }

    /// What a command prints with --json, whatever is on stderr.
    func json(_ arguments: String...) async throws -> JSONText {
        let outcome = try await home.command(
            "lanyard", arguments + ["--json"], variables: variables
        ).run()
        try #require(outcome.status == 0, "\(outcome)")
        return try JSONText(outcome.output)
    }

    /// In which keychains something is kept, in the order of the list.
    func keychains() async throws -> [JSONText?] {
        try await json("list").elements.map { $0.members["keychain"] }
    }

    /// What status says of the Secret Service.
    func status() async throws -> [String: JSONText] {
        let states = try await json("status")
        return try #require(
            states.elements.map(\.members).first { $0["name"] == "secret-service" })
    }

    /// Whether status says this of the Secret Service, in the end: on a busy machine a daemon may
    /// take longer for an answer than status waits for it.
    func becomes(_ state: JSONText) async throws -> Bool {
        for _ in 0..<20 {
            if try await status()["state"] == state {
                return true
            }
            try await Task.sleep(for: .milliseconds(500))
        }
        return false
    }

    /// The processes of the plugin that still run in this session.
    func plugins() async throws -> [Substring] {
        let outcome = try await home.shell(
            """
            for environment in /proc/[0-9]*/environ; do
                process=${environment%/environ}
                case $(readlink "$process/exe" 2>/dev/null || :) in
                */lanyard-keychain-*) ;;
                *) continue ;;
                esac
                if tr '\\0' '\\n' <"$environment" 2>/dev/null | grep -qxF "$1"; then
                    echo "$process"
                fi
            done
            """, "DBUS_SESSION_BUS_ADDRESS=\(service.address)")
        return outcome.outputText.split(separator: "\n")
    }
}
#endif
