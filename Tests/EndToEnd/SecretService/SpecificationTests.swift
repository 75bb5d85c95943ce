#if SecretService
import Foundation
import Testing

/// What other services' own tests hold them to.
@Suite(.timeLimit(.minutes(5)), .needs(.privateBus, .pythonBus))
struct SpecificationTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func expectAll(_ cases: String, _ variables: [String: String?] = [:]) async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../BusClients/specification.py").standardized.path
        let outcome = try await home.command(
            "lanyard", ["exec", "--secret-service", "--", "/usr/bin/python3", "-B", file, cases],
            variables: variables
        ).run()
        #expect(outcome.status == 0 && outcome.errorText.hasSuffix("OK\n"), "\(outcome)")
    }

    @Test func unlockedCollections() async throws {
        try await expectAll("Unlocked")
    }

    @Test(.needs(.keyrings)) func lockedCollections() async throws {
        let passphrase = try home.write("a long passphrase\n", to: "passphrase")
        expectAnswer(try await home.lanyard("keychain", "create", "work"), "")
        let set = try await home.lanyard(
            "passphrase", "set", "--yes", "--keychain", "work", "--new-passphrase-file",
            passphrase)
        #expect(set.status == 0, "\(set)")
        try await expectAll("Locked", ["LANYARD_SPECIFICATION_PASSPHRASE": passphrase])
        let lock = try await home.lanyard("lock", "--keychain", "work")
        #expect(lock.status == 0, "\(lock)")
    }
}

extension Need {
    fileprivate static let pythonBus = Need(
        missing: "there is no D-Bus, GLib or cryptography for Python"
    ) {
        try await succeeds(
            "/usr/bin/python3", "-c", "import dbus, cryptography; from gi.repository import GLib")
    }
}
#endif
