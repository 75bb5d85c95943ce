#if SecretService
import Foundation
import Testing

extension DesktopSession {
    /// Runs `lanyard-secret-service` on the session's bus while `body` runs, and ends it with SIGTERM.
    func withOwnService(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let command = try home.command("lanyard-secret-service", [], variables: variables)
        let (outcome, _) = try await command.run { process in
            do {
                for _ in 0..<500 where try await !owns("org.freedesktop.secrets") {
                    try await Task.sleep(for: .milliseconds(20))
                }
                try await body()
            } catch {
                kill(process, SIGKILL)
                throw error
            }
            kill(process, SIGTERM)
        }
        #expect(outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
    }

    /// Whether a program owns a name on the session's bus.
    func owns(_ name: String) async throws -> Bool {
        let outcome = try await run(
            "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
            "org.freedesktop.DBus.NameHasOwner", "string:\(name)")
        return outcome.outputText.contains("boolean true")
    }
}
#endif
