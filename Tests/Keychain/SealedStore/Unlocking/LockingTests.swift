import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("Locking", .serialized) struct LockingTests {
    @Test func aLockedSecretTakesThePassphrase() throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.setPassphrase("pass")
        #expect(try scratch.openStore().lockState() == .locked)
        #expect(scratch.reading()?.status == .interactionNotAllowed)
        for (provider, expected) in [
            (ScriptedProvider(given: "pass"), nil),
            (ScriptedProvider(given: "wrong"), Status.authFailed),
            (ScriptedProvider(), .interactionNotAllowed),
        ] as [(ScriptedProvider, Status?)] {
            #expect(scratch.reading(provider)?.status == expected)
            #expect(try scratch.openStore().lockState() == .locked)
        }
    }

    @Test func aPersonsAnswerUnlocksForAll() throws {
        let scratch = try ScratchKeychain.withItem()
        defer { scratch.lockAll() }
        try scratch.setPassphrase("pass")
        let provider = ScriptedProvider(answers: ["wrong", "pass"])
        #expect(scratch.reading(provider) == nil)
        #expect(provider.questions.map(\.mistake) == [nil, "wrong passphrase"])
        #expect(provider.remarks.isEmpty)
        #expect(scratch.reading() == nil)
        guard case .unlocked(let seconds?) = try scratch.openStore().lockState() else {
            Issue.record("not unlocked")
            return
        }
        #expect((95...100).contains(seconds))
        try scratch.openStore().lock()
        #expect(scratch.reading()?.status == .interactionNotAllowed)
    }

    @Test func threeWrongAnswersAreEnough() throws {
        let scratch = try ScratchKeychain.withItem()
        defer { scratch.lockAll() }
        try scratch.setPassphrase("pass")
        let provider = ScriptedProvider(answers: ["1", "2", "3", "pass"])
        #expect(scratch.reading(provider)?.status == .authFailed)
        #expect(provider.questions.count == 3)
    }

    @Test func changedAndRemoved() throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.setPassphrase("one")
        let store = try scratch.openStore(provider: ScriptedProvider(given: "one"))
        try PassphraseChange.change(to: { Secret("two") }, of: store).apply()
        #expect(scratch.reading(ScriptedProvider(given: "one"))?.status == .authFailed)
        #expect(scratch.reading(ScriptedProvider(given: "two")) == nil)
        let renewing = try scratch.openStore(provider: ScriptedProvider(given: "two"))
        try PassphraseChange.change(to: { Secret("three") }, renewsKeys: true, of: renewing)
            .apply()
        #expect(scratch.reading(ScriptedProvider(given: "three")) == nil)
        let last = try scratch.openStore(provider: ScriptedProvider(given: "three"))
        try PassphraseChange.remove(of: last).apply()
        #expect(scratch.reading() == nil)
        #expect(try scratch.openStore().lockState() == .noPassphrase)
        #expect(try scratch.openStore().verify() == 1)
    }

    @Test func theRecoveryKeyOpens() throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.setPassphrase("one")
        let store = try scratch.openStore(provider: ScriptedProvider(given: "one"))
        let key = try ByteString(bytes(store.makeRecoveryKey())).description
        #expect(scratch.reading(ScriptedProvider(given: key)) == nil)
        let typo = (key.hasSuffix("A") ? "B" : "A")
        let wrong = key.dropLast() + typo
        #expect(scratch.reading(ScriptedProvider(given: String(wrong)))?.status == .authFailed)
        let again = try scratch.openStore(provider: ScriptedProvider(given: "one"))
        try again.removeRecoveryKey()
        #expect(scratch.reading(ScriptedProvider(given: key))?.status == .authFailed)
    }

    @Test func aKeychainThatMovedIsBoundToItsNewMachine() throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.open().add(
            .genericPassword, thisDeviceOnly("x"), secret: Secret("stays"))
        try scratch.setPassphrase("one", isPortable: true)
        try FileManager.default.removeItem(atPath: scratch.stateFolder)
        #expect(scratch.reading()?.status == .interactionNotAllowed)
        let store = try scratch.openStore(provider: ScriptedProvider(given: "one"))
        try store.unlock(timeout: 60)
        #expect(try store.itemsLeftBehind() == 1)
        #expect(scratch.reading() == nil)
        try scratch.open().add(
            .genericPassword, thisDeviceOnly("y"), secret: Secret("new"))
        #expect(try secret(try scratch.open(), thisDeviceOnly("y"), of: .genericPassword) == "new")
        #expect(throws: KeychainError(.authFailed)) {
            _ = try secret(try scratch.open(), thisDeviceOnly("x"), of: .genericPassword)
        }
        try scratch.openStore().lock(firstUnlock: true)
    }

    private func thisDeviceOnly(_ service: ByteString) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = service
        attributes.accessible = .whenUnlockedThisDeviceOnly
        return attributes
    }
}
