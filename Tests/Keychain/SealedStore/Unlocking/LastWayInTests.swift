import Foundation
import KeychainServices
import Testing

@testable import SealedStore

/// Whatever is taken away, something still opens the keychain on this machine.
@Suite("The last way in", .serialized, .enabled(if: KernelKey.isPermitted, KernelKey.reason))
struct LastWayInTests {
    enum Place: CaseIterable {
        /// Where the passphrase was set.
        case here
        /// Another machine, which the recovery key has opened.
        case elsewhere
        /// Another machine, where the passphrase opens it, too.
        case elsewherePortable
    }

    enum Change: CaseIterable {
        case removeRecoveryKey, removeRecoveryKeyWithNewKeys, replaceRecoveryKey
        case removePassphrase, changePassphrase
        case addAndRemoveSecurityKey
        case renewMachineKey
    }

    private static let template = Result {
        let scratch = try ScratchKeychain.locked()
        return (scratch, try scratch.makeRecoveryKey())
    }

    @Test(arguments: Place.allCases, Change.allCases) func stays(
        _ place: Place, _ change: Change
    ) throws {
        let (template, recoveryKey) = try LastWayInTests.template.get()
        let old = try template.copy()
        if place != .elsewherePortable {
            try PassphraseChange.change(
                to: { Secret("pass") }, isPortable: false,
                of: old.openStore(provider: ScriptedProvider(given: "pass"))
            ).apply()
        }
        let scratch = place == .here ? old : try old.moved()
        defer { scratch.lockAll() }
        let given = ScriptedProvider(given: place == .here ? "pass" : recoveryKey)
        try scratch.openStore(provider: given).unlock(timeout: 100)
        var answers = ["pass", "new pass", recoveryKey]
        let refusal = keychainError {
            try make(change, scratch.openStore(provider: given), &answers)
        }
        let isLast = place == .elsewhere && change == .removeRecoveryKey
        #expect(
            (refusal?.reason.hasPrefix("then nothing would open") == true) == isLast,
            "\(refusal as Any)")
        try? scratch.openStore().lock(firstUnlock: true)
        let opening = answers.filter { scratch.reading(ScriptedProvider(given: $0)) == nil }
        #expect(!opening.isEmpty || scratch.reading() == nil, "\(refusal as Any)")
    }

    private func make(
        _ change: Change, _ store: SealedStore, _ answers: inout [String]
    ) throws {
        switch change {
        case .removeRecoveryKey: try store.removeRecoveryKey()
        case .removeRecoveryKeyWithNewKeys:
            try PassphraseChange.removeRecoveryKey(of: store).apply()
        case .replaceRecoveryKey:
            answers.append(text(try store.makeRecoveryKey(replaces: true)))
        case .removePassphrase: try PassphraseChange.remove(of: store).apply()
        case .changePassphrase:
            try PassphraseChange.change(to: { Secret("new pass") }, of: store).apply()
        case .addAndRemoveSecurityKey:
            try store.addPresence { () throws(KeychainError) in
                try EnrolledPresence(
                    PresenceEnrollment(program: "test", name: "one", seconds: 0, data: [1]),
                    secret: Secret("the whole secret of one security"))
            } show: { _ throws(KeychainError) in
            }
            try store.removePresence(named: "one")
        case .renewMachineKey:
            try FileManager.default.removeItem(atPath: "\(store.location.stateFolder)/machine-key")
            let renewed = try SealedStore(
                at: store.location, provider: store.provider,
                now: { Timestamp(secondsSinceEpoch: 1) })
            try renewed.openWithoutMachineKey()
            try renewed.bindToNewMachineKey()
        }
    }

    /// The passphrase can't open it elsewhere, so the recovery key is asked for, and a wrong one is called so.
    @Test func asksForTheRecoveryKeyWhereThePassphraseWasNotSet() throws {
        let (template, recoveryKey) = try LastWayInTests.template.get()
        let old = try template.copy()
        try PassphraseChange.change(
            to: { Secret("pass") }, isPortable: false,
            of: old.openStore(provider: ScriptedProvider(given: "pass"))
        ).apply()
        let scratch = try old.moved()
        defer { scratch.lockAll() }
        let another = text(try RecoveryKey.make().text)
        for isBound in [false, true] {
            let wrong = ScriptedProvider(answers: [another, recoveryKey])
            #expect(scratch.reading(wrong) == nil)
            #expect(wrong.questions.map(\.isForPassphrase) == [false, false])
            #expect(wrong.questions.last?.mistake == "wrong recovery key")
            try scratch.openStore().lock(firstUnlock: true)
            let given = scratch.reading(ScriptedProvider(given: another))
            #expect(given?.reason == "the secret from the test does not unlock the keychain")
            #expect(given?.hint == "give the keychain's recovery key", "\(isBound)")
        }
        #expect(
            try scratch.openStore().reasonForRecoveryKey()
                == "the passphrase opens it only on the machine it was set on")
    }
}
