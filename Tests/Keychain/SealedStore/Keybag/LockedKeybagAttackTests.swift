import Foundation
import KeychainServices
import Testing

@testable import LanyardCryptography
@testable import SealedStore
@testable import LinuxSystem

/// An attacker changes the keybag of a keychain with a passphrase.
@Suite("Attacks on a locked keybag", .serialized) struct LockedKeybagAttackTests {
    private struct Template {
        let scratch: ScratchKeychain
        let recoveryKey: String

        init() throws {
            scratch = try ScratchKeychain.locked()
            recoveryKey = try scratch.makeRecoveryKey()
        }
    }

    private static let template = Result { try Template() }

    private func keychain(isUnlocked: Bool) throws -> ScratchKeychain {
        let scratch = try LockedKeybagAttackTests.template.get().scratch.copy()
        if isUnlocked {
            try scratch.unlock()
            #expect(scratch.reading() == nil)
        }
        return scratch
    }

    private func adding(_ scratch: ScratchKeychain, _ provider: ScriptedProvider?) -> Status? {
        keychainError {
            _ = try scratch.openStore(provider: provider).add(
                .internetPassword, internetPassword("b.example"), secret: Secret("two"))
        }?.status
    }

    /// Nothing can be read or stored, with nothing that a user or a service has, and the file
    /// stays as it is.
    private func expectRefusal(
        _ scratch: ScratchKeychain, allowed: [Status] = [.decode, .authFailed]
    ) throws {
        let bytes = try scratch.bytes()
        for provider in [nil, ScriptedProvider()] as [ScriptedProvider?] {
            let statuses = [scratch.reading(provider)?.status, adding(scratch, provider)]
            for status in statuses {
                #expect([.decode, .interactionNotAllowed].contains(status))
            }
        }
        let recoveryKey = try LockedKeybagAttackTests.template.get().recoveryKey
        for given in ["pass", recoveryKey] {
            let status = adding(scratch, ScriptedProvider(given: given))
            #expect(status.map { allowed.contains($0) } == true, "\(String(describing: status))")
        }
        let person = ScriptedProvider(answers: ["pass"])
        let error = keychainError {
            try scratch.openStore(provider: person).unlock(timeout: 100)
        }
        // After a refused answer the user is gone.
        let refused = allowed + (person.questions.count == 2 ? [.interactionNotAllowed] : [])
        #expect(error.map { refused.contains($0.status) } == true, "\(error as Any)")
        #expect(error?.reason.isEmpty == false)
        #expect(person.remarks.isEmpty)
        #expect(scratch.reading() != nil)
        #expect(try scratch.bytes() == bytes)
    }

    @Test(arguments: KeybagForgery.allCases) func aForgedKeybagIsRefused(
        _ forgery: KeybagForgery
    ) throws {
        let scratch = try keychain(isUnlocked: false)
        defer { scratch.lockAll() }
        try forgery.make(KeybagForger(scratch))
        try expectRefusal(scratch)
    }

    @Test(
        .enabled(if: KernelKey.isPermitted, KernelKey.reason), arguments: KeybagForgery.allCases)
    func aForgedKeybagIsRefusedWhileUnlocked(_ forgery: KeybagForgery) throws {
        let scratch = try keychain(isUnlocked: true)
        defer { scratch.lockAll() }
        try forgery.make(KeybagForger(scratch))
        try expectRefusal(scratch)
    }

    /// A store that has the passphrase's key, or the class keys, from before.
    @Test(arguments: KeybagForgery.allCases) func anOpenStoreSeesTheForgery(
        _ forgery: KeybagForgery
    ) throws {
        let scratch = try keychain(isUnlocked: false)
        defer { scratch.lockAll() }
        let provider = ScriptedProvider(given: "pass")
        let store = try scratch.openStore(provider: provider)
        #expect(
            try secret(Keychain(store, accessGroups: .all()), internetPassword("a.example"))
                == "one")
        provider.given = nil
        try forgery.make(KeybagForger(scratch))
        let bytes = try scratch.bytes()
        for accessible in [Accessibility.whenUnlocked, .whenUnlockedThisDeviceOnly] {
            var attributes = internetPassword("b.example")
            attributes.accessible = accessible
            let error = keychainError {
                _ = try store.add(.internetPassword, attributes, secret: Secret("two"))
            }
            #expect([.decode, .interactionNotAllowed].contains(error?.status), "\(accessible)")
        }
        #expect(
            keychainError {
                _ = try secret(Keychain(store, accessGroups: .all()), internetPassword("a.example"))
            } != nil)
        #expect(try scratch.bytes() == bytes)
    }

    /// It does not compute for hours: it is refused before the passphrase is asked for or stretched.
    @Test(arguments: [KeybagForgery.raisedPrice, .loweredPrice])
    func aPriceOutOfBoundsIsRefusedAtOnce(_ forgery: KeybagForgery) throws {
        let scratch = try keychain(isUnlocked: false)
        defer { scratch.lockAll() }
        try forgery.make(KeybagForger(scratch))
        let provider = ScriptedProvider(answers: ["pass"])
        let start = SystemCalls.monotonicMilliseconds()
        #expect(throws: KeychainError(.decode)) {
            try scratch.openStore(provider: provider).unlock(timeout: 100)
        }
        #expect(SystemCalls.monotonicMilliseconds() - start < 100)
        #expect(provider.questions.isEmpty)
    }

    /// The one without the machine key can't even authenticate what was changed: it does not prompt.
    @Test func aKeybagThatDoesNotAuthenticateDoesNotPrompt() throws {
        let scratch = try keychain(isUnlocked: false)
        defer { scratch.lockAll() }
        var keybag = try scratch.keybag()
        let position = try #require(keybag.sources.firstIndex { $0.kind == .passphrase })
        guard case .passphrase(let id, let stretching) = keybag.sources[position] else {
            return
        }
        keybag.sources[position] = .passphrase(
            id: id, PassphraseStretching(unchecked: stretching.salt, memory: 1 << 20, passes: 4))
        try scratch.replaceKeybag(keybag.encoded)
        let provider = ScriptedProvider(answers: ["pass"])
        let start = SystemCalls.monotonicMilliseconds()
        #expect(throws: KeychainError(.decode)) {
            try scratch.openStore(provider: provider).unlock(timeout: 100)
        }
        #expect(throws: KeychainError(.decode)) {
            _ = try PassphraseChange.remove(of: scratch.openStore(provider: provider))
        }
        #expect(SystemCalls.monotonicMilliseconds() - start < 200)
        #expect(provider.questions.isEmpty)
    }

    @Test(arguments: [false, true]) func anOlderKeybagIsRefused(_ isUnlocked: Bool) throws {
        guard !isUnlocked || KernelKey.isPermitted else {
            return
        }
        let scratch = try keychain(isUnlocked: false)
        defer { scratch.lockAll() }
        let older = try scratch.keybag()
        try scratch.openStore(provider: ScriptedProvider(given: "pass")).removeRecoveryKey()
        if isUnlocked {
            try scratch.unlock()
        }
        try scratch.replaceKeybag(older.encoded)
        #expect(scratch.reading()?.hint?.contains("accept-restore") == true)
        try expectRefusal(scratch)
        // Its second authentication does not fit a keybag of a later generation.
        var renewed = older
        renewed.generation += 5
        let forger = try KeybagForger(LockedKeybagAttackTests.template.get().scratch)
        renewed.authenticate(metadataKey: forger.metadata.key, unlockedKey: forger.metadata.key)
        renewed.unlockedTag = older.unlockedTag
        try scratch.replaceKeybag(renewed.encoded)
        try expectRefusal(scratch)
    }
}
