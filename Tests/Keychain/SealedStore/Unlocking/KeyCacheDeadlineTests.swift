import Foundation
import KeychainServices
import Testing

@testable import LanyardCryptography
@testable import SealedStore
@testable import LinuxSystem

@Suite("Deadlines in the key cache") struct KeyCacheDeadlineTests {
    private func withKeys(_ body: (ScratchKeychain, UnlockedKeys) throws -> Void) throws {
        let scratch = try ScratchKeychain.locked()
        defer { scratch.lockAll() }
        let store = try scratch.openStore(provider: ScriptedProvider(given: "pass"))
        try store.whileUnlocking { () throws(KeychainError) in _ = try store.openWithProvider() }
        try body(scratch, try store.withoutUnlocking { $0.keys })
    }

    /// Puts an entry with another end in the kernel, as one whose time-out was removed.
    private func publish(
        _ keys: UnlockedKeys, _ scratch: ScratchKeychain, locksAt: UInt64
    ) throws {
        let id = keys.keybag.keychainID
        let content = try KeyCacheEntry.encode(.unlocked, keys, locksAt: locksAt)
        let epoch = try #require(try KeychainAnchor(scratch.location).read()?.epochs)[.unlocked]
        let token = try LoginToken.readOrMake()
        var bound = epoch + (try SystemCalls.bootID())
        switch token {
        case .some(let token): bound += bytes(token)
        case .none: break
        }
        let sealingKey = KeyDerivation.derive(
            try scratch.machineKey().key, label: "lanyard kernel keyring", context: bound.span)
        let blob = try content.withBytes { bytes throws(KeychainError) in
            try SealedBox.seal(
                bytes, under: sealingKey,
                associatedData: id + [KeyCacheEntry.Kind.unlocked.rawValue])
        }
        try KernelKeyring.publish(
            blob, as: "lanyard:\(Hexadecimal.encode(id)):unlocked", timeout: 60)
    }

    @Test(.enabled(if: KernelKey.isPermitted, KernelKey.reason))
    func onlyOneInTheFutureCounts() throws {
        try withKeys { scratch, keys in
            try scratch.unlock()
            let now = SystemCalls.secondsSinceBoot()
            for past in [0, 1, now - 1, now] {
                try publish(keys, scratch, locksAt: past)
                #expect(try scratch.openStore().lockState() == .locked)
                #expect(scratch.reading()?.status == .interactionNotAllowed)
            }
            try publish(keys, scratch, locksAt: now + 50)
            #expect(scratch.reading() == nil)
            try publish(keys, scratch, locksAt: KeyCacheEntry.never)
            #expect(try scratch.openStore().lockState() == .unlocked(locksIn: nil))
            // Further away than a number for people can be.
            try publish(keys, scratch, locksAt: KeyCacheEntry.never - 1)
            #expect(try scratch.openStore().lockState() == .unlocked(locksIn: Int.max))
        }
    }

    /// A kernel that keeps no keys, as in many containers.
    @Test(arguments: [ENOSYS, EPERM]) func withoutAKernelKeyring(_ code: Int32) throws {
        let scratch = try ScratchKeychain.locked()
        defer { scratch.lockAll() }
        let refusing: @Sendable (String) -> Int32? = { call in
            call == "add_key" || call.hasPrefix("keyctl") ? code : nil
        }
        try SystemCalls.$injectedError.withValue(refusing) {
            let error = keychainError { try scratch.unlock() }
            #expect(error?.status == .notAvailable)
            let person = ScriptedProvider(answers: ["pass"])
            let store = try scratch.openStore(provider: person)
            for _ in 1...2 {
                #expect(
                    try secret(Keychain(store, accessGroups: .all()), internetPassword("a.example"))
                        == "one")
            }
            #expect(person.questions.count == 1)
            #expect(person.remarks.map(\.status) == [.notAvailable])
            #expect(try store.lockState() == .locked)
            #expect(scratch.reading()?.status == .interactionNotAllowed)
            #expect(scratch.reading(ScriptedProvider(given: "pass")) == nil)
            #expect(throws: KeychainError(.notAvailable)) { try store.lock() }
        }
        #expect(scratch.reading()?.status == .interactionNotAllowed)
    }

    /// The token that ends with the login, in mounts of our own.
    @Test(
        .enabled(if: KernelKey.isPermitted, KernelKey.reason),
        .enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func itEndsWithTheLogin() async throws {
        let scratch = try ScratchKeychain.locked()
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            MountNamespace.enter()
            MountNamespace.mountSmall("/run", "size=1m")
            try FileManager.default.createDirectory(
                atPath: LoginToken.folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let scratch = ScratchKeychain(adopting: folder)
            try scratch.unlock(timeout: nil)
            #expect(scratch.reading() == nil)
            let file = LoginToken.path(in: LoginToken.folder)
            let token = try Data(contentsOf: URL(fileURLWithPath: file))
            try FileManager.default.removeItem(atPath: file)
            #expect(scratch.reading()?.status == .interactionNotAllowed)
            // Another login's.
            makeFile(file, Data(repeating: 1, count: 32))
            #expect(scratch.reading()?.status == .interactionNotAllowed)
            try FileManager.default.removeItem(atPath: file)
            makeFile(file, token)
            #expect(scratch.reading() == nil)
        }
        #expect(scratch.reading()?.status == .interactionNotAllowed)
        scratch.lockAll()
    }
}
