import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("A passphrase that changes while a program opens the keychain")
struct ChangedWhileOpeningTests {
    /// The outcome of a thread's work.
    private final class Outcome: @unchecked Sendable {
        let hasBegun = DispatchSemaphore(value: 0)
        let isDone = DispatchSemaphore(value: 0)
        var error: KeychainError?
    }

    @Test(arguments: [("pass", Status.authFailed), ("other", nil)] as [(String, Status?)])
    func isNoDamage(_ given: String, _ status: Status?) throws {
        let error = try opening(with: given) { store throws(KeychainError) in
            try PassphraseChange.change(to: { Secret("other") }, renewsKeys: true, of: store)
                .apply()
        }
        #expect(error?.status == status, "\(error?.reason ?? "")")
    }

    /// The program has done nothing wrong, and the keychain is open.
    @Test func mayBeRemoved() throws {
        let error = try opening(with: "pass") { store throws(KeychainError) in
            try PassphraseChange.remove(of: store).apply()
        }
        #expect(error == nil, "\(error?.reason ?? "")")
    }

    /// Returns what a program says that opens the keychain with a passphrase during a change of it.
    private func opening(
        with given: String, during change: (SealedStore) throws(KeychainError) -> Void
    ) throws -> KeychainError? {
        let scratch = try ScratchKeychain()
        try scratch.setQuickPassphrase("pass")
        let provider = ScriptedProvider(given: "pass")
        try Keychain(scratch.openStore(provider: provider), accessGroup: "test").add(
            .genericPassword, genericPassword("service", account: "ada"), secret: Secret("s"))
        let before = try scratch.files()
        try change(scratch.openStore(provider: provider))
        let after = try scratch.files()
        try write(before, to: scratch)

        let outcome = Outcome()
        // The thread reads the keychain's keys, and waits for its turn to stretch the passphrase.
        let turn = try UnlockLock(.work, at: scratch.location)
        Thread.detachNewThread {
            outcome.error = keychainError {
                let provider = ScriptedProvider(given: given)
                provider.whileGiving = { outcome.hasBegun.signal() }
                let store = try scratch.openStore(provider: provider)
                let found = try secret(
                    Keychain(store, accessGroup: "test"),
                    genericPassword("service", account: "ada"), of: .genericPassword)
                #expect(found == "s")
            }
            outcome.isDone.signal()
        }
        #expect(outcome.hasBegun.wait(timeout: .now() + 60) == .success)
        Thread.sleep(forTimeInterval: 0.5)
        try write(after, to: scratch)
        _ = consume turn
        #expect(outcome.isDone.wait(timeout: .now() + 60) == .success)
        return outcome.error
    }

    private func write(_ files: [String: Data], to scratch: ScratchKeychain) throws {
        for (path, content) in files {
            try content.write(to: URL(fileURLWithPath: "\(scratch.folder)/\(path)"))
        }
    }
}
