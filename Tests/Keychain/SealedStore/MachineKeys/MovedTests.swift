import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("Moved keychains", .serialized, .enabled(if: KernelKey.isPermitted, KernelKey.reason))
struct MovedTests {
    private static let deviceOnly = Accessibility.allCases.filter(\.isThisDeviceOnly)

    private struct Template {
        let scratch: ScratchKeychain
        let recoveryKey: String

        init() throws {
            scratch = try ScratchKeychain.locked()
            recoveryKey = try scratch.makeRecoveryKey()
            let store = try scratch.openStore(provider: ScriptedProvider(given: "pass"))
            for accessible in MovedTests.deviceOnly {
                _ = try store.add(
                    .genericPassword, attributes(accessible), secret: Secret("old machine"))
            }
        }
    }

    private static let template = Result { try Template() }

    private static func attributes(
        _ accessible: Accessibility, _ account: ByteString = "old"
    ) -> ItemAttributes {
        var attributes = genericPassword(ByteString(accessible.code), account: account)
        attributes.accessible = accessible
        return attributes
    }

    private func old() throws -> ScratchKeychain { try MovedTests.template.get().scratch.copy() }

    /// A machine key that has nothing to do with the keychain.
    private func makeMachineKey(_ scratch: ScratchKeychain) throws {
        _ = try MachineKey.readOrMake(stateFolder: scratch.stateFolder)
    }

    private func expectLeftBehind(_ scratch: ScratchKeychain, isBound: Bool) throws {
        let store = try scratch.openStore()
        #expect(try store.itemsLeftBehind() == 4)
        for accessible in MovedTests.deviceOnly {
            #expect(throws: KeychainError(.authFailed), "\(accessible)") {
                _ = try secret(
                    Keychain(store, accessGroups: .all()), MovedTests.attributes(accessible),
                    of: .genericPassword)
            }
            guard isBound else {
                continue
            }
            let new = MovedTests.attributes(accessible, "new")
            _ = try store.add(.genericPassword, new, secret: Secret("new machine"))
            #expect(
                try secret(Keychain(store, accessGroups: .all()), new, of: .genericPassword)
                    == "new machine")
        }
        #expect(try store.itemsLeftBehind() == 4)
        #expect(throws: Never.self) { _ = try store.verify() }
    }

    @Test(arguments: [false, true]) func thePassphraseBindsItToTheNewMachine(
        _ hasMachineKey: Bool
    ) throws {
        let scratch = try old().moved()
        defer { scratch.lockAll() }
        if hasMachineKey {
            try makeMachineKey(scratch)
        }
        #expect(try scratch.openStore().lockState() == .locked)
        #expect(scratch.reading()?.status == .interactionNotAllowed)
        let given = ScriptedProvider(given: "pass")
        #expect(scratch.reading(given) == nil)
        #expect(FileManager.default.fileExists(atPath: scratch.machineKeyFile) == hasMachineKey)
        let person = ScriptedProvider(answers: ["pass"])
        #expect(scratch.reading(person) == nil)
        #expect(person.remarks.isEmpty)
        #expect(scratch.reading() == nil)
        try expectLeftBehind(scratch, isBound: true)
    }

    /// The same file, used by both machines in turn.
    @Test func bothMachinesKeepTheirOwn() throws {
        let old = try old()
        defer { old.lockAll() }
        let new = try old.moved()
        try new.unlock()
        try expectLeftBehind(new, isBound: true)
        try new.openStore().lock(firstUnlock: true)
        // The state folder of the old machine, the file of the new one.
        try old.write(new.bytes())
        try old.unlock()
        let store = try old.openStore()
        #expect(try store.itemsLeftBehind() == 4)
        for accessible in MovedTests.deviceOnly {
            let attributes = MovedTests.attributes(accessible)
            #expect(
                try secret(Keychain(store, accessGroups: .all()), attributes, of: .genericPassword)
                    == "old machine")
            #expect(throws: KeychainError(.authFailed)) {
                let attributes = MovedTests.attributes(accessible, "new")
                _ = try secret(
                    Keychain(store, accessGroups: .all()), attributes, of: .genericPassword)
            }
        }
        #expect(try store.verify() == 9)
    }

    @Test func notPortableTakesTheRecoveryKey() throws {
        let old = try old()
        let recoveryKey = try MovedTests.template.get().recoveryKey
        let store = try old.openStore(provider: ScriptedProvider(given: "pass"))
        let change = try PassphraseChange.change(
            to: { Secret("pass") }, isPortable: false, of: store)
        #expect(
            change.losses
                == PassphraseChange.Losses(
                    itemsForPassphrase: 0, itemsElsewhere: 0, recoveryKey: false))
        try change.apply()
        let scratch = try old.moved()
        defer { scratch.lockAll() }
        let refused = scratch.reading(ScriptedProvider(given: "pass"))
        #expect(refused?.status == .authFailed)
        #expect(refused?.reason.isEmpty == false)
        #expect(scratch.reading(ScriptedProvider(given: recoveryKey)) == nil)
        let person = ScriptedProvider(answers: ["pass", recoveryKey])
        try scratch.openStore(provider: person).unlock(timeout: 100)
        #expect(person.questions.count == 2)
        #expect(scratch.reading() == nil)
        #expect(try scratch.openStore().itemsLeftBehind() == 4)
        #expect(throws: Never.self) { _ = try scratch.openStore().verify() }
        #expect(old.reading(ScriptedProvider(given: "pass")) == nil)
    }

    /// Neither passphrase nor machine key is here: it does not ask for what does not exist.
    @Test func withNoWayLeftItDoesNotPrompt() throws {
        let scratch = try ScratchKeychain.withItem().moved()
        for hasMachineKey in [false, true] {
            if hasMachineKey {
                try makeMachineKey(scratch)
            }
            let person = ScriptedProvider(answers: ["pass"])
            let error = scratch.reading(person)
            #expect(error?.status == .authFailed)
            #expect(error?.hint != nil)
            #expect(throws: KeychainError(.authFailed)) {
                try scratch.openStore(provider: person).unlock(timeout: 100)
            }
            #expect(person.questions.isEmpty)
        }
    }

    @Test func withoutAPassphraseTheRecoveryKeyBindsIt() throws {
        let old = try ScratchKeychain.withItem()
        let recoveryKey = try text(old.openStore().makeRecoveryKey())
        _ = try old.openStore().add(
            .genericPassword, MovedTests.attributes(.whenUnlockedThisDeviceOnly),
            secret: Secret("old machine"))
        let scratch = try old.moved()
        #expect(try scratch.openStore().lockState() == .locked)
        let person = ScriptedProvider(answers: [recoveryKey])
        try scratch.openStore(provider: person).unlock(timeout: 100)
        #expect(person.questions.map(\.isForPassphrase) == [false])
        #expect(try scratch.openStore().lockState() == .noPassphrase)
        #expect(scratch.reading() == nil)
        #expect(scratch.adding() == nil)
        #expect(try scratch.openStore().itemsLeftBehind() == 1)
        #expect(try scratch.openStore().verify() == 3)
    }

    @Test func anOlderCopyWaitsForConsent() throws {
        let scratch = try old()
        defer { scratch.lockAll() }
        let older = try scratch.bytes()
        try scratch.openStore(provider: ScriptedProvider(given: "pass")).removeRecoveryKey()
        try scratch.write(older)
        let person = ScriptedProvider(answers: ["pass"])
        #expect(scratch.reading(person)?.hint?.contains("accept-restore") == true)
        #expect(person.questions.isEmpty)
        try SealedStore.acceptRestored(at: scratch.location)
        #expect(scratch.reading(person) == nil)
    }

    @Test func aPassphraseRemovedElsewhereWaitsForConsent() throws {
        let old = try old()
        defer { old.lockAll() }
        let new = try old.moved()
        try new.unlock()
        let store = try new.openStore(provider: ScriptedProvider(given: "pass"))
        let removal = try PassphraseChange.remove(of: store)
        #expect(removal.losses.items == 3)
        try removal.apply()
        #expect(new.reading() == nil)
        try old.write(new.bytes())
        let person = ScriptedProvider(answers: ["pass"])
        #expect(old.reading(person)?.status == .decode)
        #expect(old.adding()?.status == .decode)
        try SealedStore.acceptRestored(at: old.location)
        // Its keys are wrapped for the new machine now, and for the recovery key.
        #expect(try old.openStore().lockState() == .locked)
        let recoveryKey = try MovedTests.template.get().recoveryKey
        let withRecoveryKey = ScriptedProvider(answers: [recoveryKey])
        try old.openStore(provider: withRecoveryKey).unlock(timeout: 100)
        #expect(withRecoveryKey.questions.map(\.isForPassphrase) == [false])
        #expect(old.reading() == nil)
        #expect(person.questions.isEmpty)
    }
}
