#if SecretService
import Foundation
import Glibc
import Testing
import TestSupport

extension DesktopSession {
    /// Runs `lanyard-secret-service` on the session's bus while `body` runs, and ends it with SIGTERM. It has to
    /// end with 0.
    ///
    /// - Parameter body: Is given the service's process.
    /// - Returns: What it printed on standard error.
    @discardableResult
    func withOwnService(
        _ arguments: String..., variables: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation,
        during body: @escaping @Sendable (pid_t) async throws -> Void
    ) async throws -> String {
        var command = try home.command(
            "lanyard-secret-service", arguments,
            variables: self.variables.merging(variables) { $1 })
        command.timeLimit = .seconds(280)
        let (outcome, _) = try await command.run { process in
            do {
                try await waitUntil("org.freedesktop.secrets", isOwned: true)
                try await body(process)
            } catch {
                kill(process, SIGKILL)
                throw error
            }
            // A second signal would end it at once.
            if try await owns("org.freedesktop.secrets") {
                kill(process, SIGTERM)
            }
        }
        #expect(
            outcome.output.isEmpty && outcome.status == 0, "\(outcome)",
            sourceLocation: sourceLocation)
        return outcome.errorText
    }

    /// The same where the process does not matter.
    func withOwnService(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withOwnService(sourceLocation: sourceLocation, during: { _ in try await body() })
    }

    /// Runs a case of one of the clients in `BusClients`, which has to succeed.
    func client(
        _ script: String, _ arguments: [String], variables: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let clients = "\(Repository.path)/Tests/EndToEnd/BusClients"
        let outcome = try await home.command(
            "python3", ["-B", "\(clients)/\(script).py"] + arguments,
            variables: self.variables.merging(variables) { $1 }
        ).run()
        #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
    }

    /// Waits until a program owns a name on the session's bus, or none does, for some time.
    func waitUntil(_ name: String, isOwned: Bool) async throws {
        var tries = 500
        while tries > 0, try await owns(name) != isOwned {
            tries -= 1
            try await Task.sleep(for: .milliseconds(20))
        }
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
