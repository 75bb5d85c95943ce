import Foundation
import KeychainServices
import SealedStore
import Testing
@testable import EndToEndRig

/// A change of the passphrase that is killed leaves the old state or the new one.
@Suite(.needs(.tracing), .timeLimit(.minutes(20)))
struct KilledPassphraseChangeTests {
    /// A command, and what opens the keychain before and after it; nil for nothing.
    struct Change: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let before: String?
        let after: String?

        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let itemCount = 30
    /// How many times each change is killed.
    private static let kills = 16
    /// What changes something on the disk.
    private static let calls =
        "openat,write,pwrite64,fsync,fdatasync,ftruncate,linkat,renameat,unlink,unlinkat,mkdirat"

    private func traced(_ home: ScratchHome) -> TracedCalls {
        TracedCalls(names: Self.calls, file: "\(home.path)/trace")
    }

    @Test(arguments: [
        Change(arguments: ["passphrase", "set", "--yes"], before: nil, after: "new"),
        Change(arguments: ["passphrase", "change", "--yes"], before: "old", after: "new"),
        Change(
            arguments: ["passphrase", "change", "--rekey", "--yes"], before: "old", after: "new"),
        Change(arguments: ["passphrase", "remove", "--yes"], before: "old", after: nil),
        Change(arguments: ["recovery-key", "create"], before: "old", after: "old"),
    ])
    func killed(change: Change) async throws {
        let home = try ScratchHome()
        _ = try home.write("old\n", to: "passphrase")
        _ = try home.write("new\n", to: "new")
        for number in 1...Self.itemCount {
            try await home.set("item-\(number)", secret: "secret-\(number)")
        }
        if change.before != nil {
            try await home.setPassphrase("old")
        }
        try await home.shell("mv \"$LANYARD_HOME\" \"$1\"", "\(home.path)/template")
        try await run(change, home, killedAt: nil)
        let steps = try traced(home).count(home)
        try #require(steps > 30, "only \(steps) system calls were seen")
        var states: [Bool: Int] = [:]
        // Spread over all calls. Each takes about a second: keys are derived from passphrases.
        for part in 0..<Self.kills {
            let parts = (part...part + 1).map { steps * $0 / Self.kills }
            let step = Int.random(in: parts[0] + 1...parts[1])
            try await run(change, home, killedAt: step)
            let isNew = try check(change, home, step)
            states[isNew, default: 0] += 1
        }
        print("\(change.testDescription): \(states[false] ?? 0) old, \(states[true] ?? 0) new")
    }

    /// Runs a change on a fresh copy of the keychain.
    private func run(
        _ change: Change, _ home: ScratchHome, killedAt step: Int?
    ) async throws {
        try await home.shell(
            "rm -rf \"$LANYARD_HOME\"; cp -a \"$1\" \"$LANYARD_HOME\"", "\(home.path)/template")
        var arguments = traced(home).arguments(killedAt: step) + ["lanyard"] + change.arguments
        if change.after == "new" {
            arguments += ["--new-passphrase-file", "\(home.path)/new"]
        }
        let outcome = try await home.command(
            "strace", arguments,
            variables: [
                "LANYARD_PASSPHRASE_FILE": change.before.map { _ in "\(home.path)/passphrase" }
            ]
        ).run()
        if step == nil {
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    /// - Returns: Whether the change had been made.
    private func check(_ change: Change, _ home: ScratchHome, _ step: Int) throws -> Bool {
        let location = KeychainLocation(file: home.keychain, stateFolder: home.state)
        let isNew = try SealedStore(at: location).lockState() != .noPassphrase
        // Of a change from one passphrase to another only trying tells.
        for passphrase in [change.after, change.before] {
            let store = try SealedStore(
                at: location, provider: passphrase.map { OnePassphrase($0) })
            guard (passphrase != nil) == isNew || change.after == change.before,
                let count = try? store.verify()
            else {
                continue
            }
            #expect(count == Self.itemCount, "killed at \(step)")
            if change.after == change.before {
                return try store.hasRecoveryKey()
            }
            return passphrase == change.after
        }
        Issue.record("killed at call \(step), the keychain opens with neither")
        return false
    }
}

/// Gives a passphrase to a keychain.
private final class OnePassphrase: PassphraseProvider {
    private let passphrase: String

    init(_ passphrase: String) {
        self.passphrase = passphrase
    }

    func givenPassphrase() throws(KeychainError) -> GivenPassphrase? {
        GivenPassphrase(Secret(passphrase), origin: "the test")
    }

    func askForPassphrase(_ question: UnlockQuestion) throws(KeychainError) -> Secret {
        throw KeychainError(.interactionNotAllowed)
    }

    func timeout() throws(KeychainError) -> UInt32? { nil }

    func keychainStaysLocked(_ reason: KeychainError) {}
}
