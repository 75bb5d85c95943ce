import Foundation
import KeychainServices
import Testing

@testable import SealedStore
@testable import LinuxSystem

@Suite("Key cache", .serialized, .enabled(if: KernelKey.isPermitted, KernelKey.reason))
struct KeyCacheTests {
    private static let template = Result { try ScratchKeychain.locked() }

    /// A keychain that is unlocked for all.
    private func unlocked() throws -> ScratchKeychain {
        let scratch = try KeyCacheTests.template.get().copy()
        try scratch.unlock()
        #expect(scratch.reading() == nil)
        return scratch
    }

    private func description(_ scratch: ScratchKeychain, _ name: String) throws -> String {
        "lanyard:\(Hexadecimal.encode(try scratch.keybag().keychainID)):\(name)"
    }

    private func payload(_ scratch: ScratchKeychain, _ name: String = "unlocked") throws -> [UInt8]
    {
        try #require(try KernelKeyring.read(description(scratch, name)))
    }

    private func publish(
        _ payload: [UInt8], in scratch: ScratchKeychain, as name: String = "unlocked"
    ) throws {
        try KernelKeyring.publish(payload, as: description(scratch, name), timeout: 60)
    }

    /// The keys of a keychain that was opened with its passphrase.
    private func withKeys(
        of scratch: ScratchKeychain, _ body: (UnlockedKeys, [ClassKey]) throws -> Void
    ) throws {
        let store = try scratch.openStore(provider: ScriptedProvider(given: "pass"))
        try store.whileUnlocking { () throws(KeychainError) in _ = try store.openWithProvider() }
        let keys = try store.withoutUnlocking { $0.keys }
        try body(keys, keys.keybag.classKeys.compactMap { try keys.find($0) })
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(part)) != nil
    }

    /// The user may lock the keychain while another program changes its keys.
    @Test(arguments: [false, true]) func aChangeOfTheKeysUndoesNoLock(isLocked: Bool) throws {
        let scratch = try unlocked()
        defer { scratch.lockAll() }
        try scratch.openStore().makeRecoveryKey { _ throws(KeychainError) in
            if isLocked {
                _ = try SealedStore.lock(at: scratch.location)
            }
        }
        #expect(scratch.reading()?.status == (isLocked ? .interactionNotAllowed : nil))
    }

    @Test func noKeyCanBeReadInTheKernel() throws {
        let scratch = try unlocked()
        defer { scratch.lockAll() }
        try withKeys(of: scratch) { keys, classKeys in
            #expect(classKeys.count == 8)
            for name in ["unlocked", "first-unlock"] {
                let payload = try payload(scratch, name)
                for key in classKeys {
                    #expect(!contains(payload, bytes(key.key)))
                    #expect(!contains(payload, Array(bytes(key.key)[..<8])))
                }
                #expect(!contains(payload, try bytes(scratch.machineKey().key)))
            }
            // The keys are among what was sealed.
            let entry = bytes(
                try KeyCacheEntry.encode(.unlocked, keys, locksAt: KeyCacheEntry.never))
            #expect(classKeys.count { contains(entry, bytes($0.key)) } == 3)
        }
    }

    @Test func anotherMachineKeyDoesNotOpenIt() throws {
        let scratch = try unlocked()
        defer { scratch.lockAll() }
        let other = try scratch.copy()
        // Bound to a second machine, it is the same keychain with other kernel keys.
        try FileManager.default.removeItem(atPath: other.machineKeyFile)
        try other.unlock()
        let there = try payload(other)
        #expect(other.reading() == nil)
        #expect(scratch.reading()?.status == .interactionNotAllowed)
        try scratch.unlock()
        #expect(scratch.reading() == nil)
        #expect(other.reading()?.status == .interactionNotAllowed)
        try publish(there, in: scratch)
        #expect(scratch.reading()?.status == .interactionNotAllowed)
        #expect(other.reading() == nil)
    }

    @Test func anotherKeychainDoesNotOpenIt() throws {
        let scratch = try unlocked()
        defer { scratch.lockAll() }
        let other = KeychainLocation(
            file: "\(scratch.dataFolder)/other.keychain", stateFolder: scratch.stateFolder)
        try SealedStore.make(at: other)
        let store = try SealedStore(at: other, provider: ScriptedProvider(given: "pass"))
        try PassphraseChange.set(Secret("pass"), of: store).apply()
        let id = Hexadecimal.encode(try store.storedKeybag().keychainID)
        try KernelKeyring.publish(
            payload(scratch), as: "lanyard:\(id):unlocked", timeout: 60)
        #expect(try store.lockState() == .locked)
        try KernelKeyring.revoke("lanyard:\(id):unlocked")
    }

    @Test func itEndsWithTheKeybag() throws {
        let scratch = try unlocked()
        defer { scratch.lockAll() }
        let blobs = try ["unlocked", "first-unlock"].map { ($0, try payload(scratch, $0)) }
        let before = try scratch.keybag().generation
        let store = try scratch.openStore(provider: ScriptedProvider(given: "pass"))
        try store.whileUnlocking { () throws(KeychainError) in
            try store.openWithProvider()
            try store.changeKeybag { draft throws(KeychainError) in
                draft.setRecoveryKey(try RecoveryKey.make())
            }
        }
        #expect(try scratch.keybag().generation == before + 1)
        for (name, blob) in blobs {
            try publish(blob, in: scratch, as: name)
        }
        #expect(scratch.reading()?.status == .interactionNotAllowed)
        #expect(try scratch.openStore().lockState() == .locked)
        var attributes = internetPassword("b.example")
        attributes.accessible = .afterFirstUnlock
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            _ = try scratch.openStore().add(
                .internetPassword, attributes, secret: Secret("two"))
        }
    }

    /// An attacker copies what is in the kernel, and puts it back.
    @Test func lockingEndsEveryCopy() throws {
        let scratch = try KeyCacheTests.template.get().copy()
        defer { scratch.lockAll() }
        var first = internetPassword("first.example")
        first.accessible = .afterFirstUnlock
        _ = try scratch.openStore(provider: ScriptedProvider(given: "pass"))
            .add(.internetPassword, first, secret: Secret("first"))
        try scratch.unlock()
        let copies = try ["unlocked", "first-unlock"].map { ($0, try payload(scratch, $0)) }
        func putBack() throws {
            for (name, blob) in copies {
                try publish(blob, in: scratch, as: name)
            }
        }
        try putBack()
        #expect(scratch.reading() == nil)
        try scratch.openStore().lock()
        #expect(try secret(scratch.open(), first) == "first")
        try putBack()
        #expect(scratch.reading()?.status == .interactionNotAllowed)
        #expect(try scratch.openStore().lockState() == .locked)
        #expect(try secret(scratch.open(), first) == "first")
        try SealedStore.lockAll(stateFolder: scratch.stateFolder)
        try putBack()
        #expect(scratch.reading()?.status == .interactionNotAllowed)
        #expect(keychainError { _ = try secret(scratch.open(), first) } != nil)
        try scratch.unlock()
        #expect(scratch.reading() == nil)
        // A store that is open all the while.
        let open = try scratch.open()
        #expect(try secret(open, first) == "first")
        try scratch.openStore().lock(firstUnlock: true)
        try putBack()
        #expect(keychainError { _ = try secret(open, first) } != nil)
    }

    /// Also where the kernel does not let go of the key.
    @Test func lockingEndsWhatCannotBeRevoked() throws {
        let scratch = try unlocked()
        defer { scratch.lockAll() }
        let refusing: @Sendable (String) -> Int32? = { $0 == "keyctl_revoke" ? EPERM : nil }
        SystemCalls.$injectedError.withValue(refusing) {
            #expect(throws: KeychainError(.notAvailable)) { try scratch.openStore().lock() }
        }
        #expect(try KernelKeyring.read(description(scratch, "unlocked")) != nil)
        #expect(scratch.reading()?.status == .interactionNotAllowed)
    }

    /// It is still revoked, and the error says that copies of it may exist.
    @Test(.enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func lockingWithAReadOnlyStateFolder() async throws {
        let scratch = try unlocked()
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            MountNamespace.enter()
            MountNamespace.makeReadOnly(scratch.stateFolder)
            #expect(scratch.reading() == nil)
            #expect(throws: KeychainError(.readOnly)) { try scratch.openStore().lock() }
            #expect(scratch.reading()?.status == .interactionNotAllowed)
        }
        scratch.lockAll()
    }

    @Test(.enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func itEndsWithTheMachinesRestart() async throws {
        let scratch = try unlocked()
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            #expect(scratch.reading() == nil)
            MountNamespace.enter()
            let other = "\(folder)/boot-id"
            makeFile(other, Data("00000000-0000-4000-8000-000000000000\n".utf8))
            MountNamespace.bind(other, to: "/proc/sys/kernel/random/boot_id")
            #expect(scratch.reading()?.status == .interactionNotAllowed)
            let state = try scratch.openStore().lockState()
            #expect(state == .locked)
        }
        #expect(scratch.reading() == nil)
        scratch.lockAll()
    }

    @Test func theTwoCannotBeSwapped() throws {
        let scratch = try unlocked()
        defer { scratch.lockAll() }
        let unlocked = try payload(scratch)
        try publish(payload(scratch, "first-unlock"), in: scratch)
        #expect(scratch.reading()?.status == .interactionNotAllowed)
        try publish(unlocked, in: scratch, as: "first-unlock")
        #expect(scratch.reading()?.status == .interactionNotAllowed)
        try publish(unlocked, in: scratch)
        #expect(try scratch.openStore().lockState() == .locked)
    }

    @Test func everyByteCounts() throws {
        let scratch = try unlocked()
        defer { scratch.lockAll() }
        let blob = try payload(scratch)
        let store = try scratch.openStore()
        for position in blob.indices {
            var changed = blob
            changed[position] ^= UInt8(1 << (position % 8))
            try publish(changed, in: scratch)
            #expect(try store.lockState() == .locked, "byte \(position)")
        }
        for count in 1..<blob.count {
            try publish(Array(blob[..<count]), in: scratch)
            #expect(try store.lockState() == .locked, "\(count) bytes")
        }
        try publish(blob + [0], in: scratch)
        #expect(scratch.reading()?.status == .interactionNotAllowed)
        try publish(blob, in: scratch)
        #expect(scratch.reading() == nil)
    }
}
