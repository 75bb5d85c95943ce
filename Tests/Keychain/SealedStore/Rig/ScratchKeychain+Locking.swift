import Foundation
import KeychainServices

@testable import LanyardCryptography
@testable import SealedStore
@testable import LinuxSystem

extension ScratchKeychain {
    /// Sets a passphrase that takes as little time as a file may say.
    func setQuickPassphrase(_ passphrase: String) throws {
        let source = try KeySource.newPassphrase(
            PassphraseStretching(salt: RandomBytes.make(16), memory: 32 << 10, passes: 1))
        let key = try ScratchKeychain.stretched(passphrase, source)
        let store = try openStore()
        try store.whileUnlocking { () throws(KeychainError) in
            try store.changeKeybag { draft throws(KeychainError) in
                draft.setPassphrase(source, key.copy())
                try draft.renewSecretKeys()
            }
        }
    }

    /// The key that a passphrase's source makes of it.
    static func stretched(_ passphrase: String, _ source: KeySource) throws -> Secret {
        guard case .passphrase(_, let stretching) = source else {
            throw KeychainError(.param)
        }
        return try stretching.key(Secret(passphrase))
    }

    /// A keychain as ``withItem()`` makes it, locked with the passphrase "pass".
    static func locked() throws -> ScratchKeychain {
        let scratch = try withItem()
        try scratch.setQuickPassphrase("pass")
        return scratch
    }

    /// Makes a recovery key with the passphrase "pass", if there is one.
    func makeRecoveryKey() throws -> String {
        text(try openStore(provider: ScriptedProvider(given: "pass")).makeRecoveryKey())
    }

    /// Unlocks the keychain for all with a passphrase.
    func unlock(_ passphrase: String = "pass", timeout: UInt32? = 100) throws {
        try openStore(provider: ScriptedProvider(given: passphrase)).unlock(timeout: timeout)
    }

    /// Locks the keychain for all; called at the end, as the kernel's keys outlive the test.
    func lockAll() {
        try? openStore().lock(firstUnlock: true)
        let state = try? openStore().storedKeybag()
        for name in ["unlocked", "first-unlock", "refused"] {
            let id = Hexadecimal.encode(state?.keychainID ?? [])
            try? KernelKeyring.revoke("lanyard:\(id):\(name)")
        }
    }

    /// The same keychain in another folder.
    func copy() throws -> ScratchKeychain {
        let other = try ScratchKeychain(make: false)
        for name in ["data", "state"] {
            try FileManager.default.copyItem(
                atPath: "\(folder)/\(name)", toPath: "\(other.folder)/\(name)")
        }
        return other
    }

    /// The same keychain on another machine.
    func moved() throws -> ScratchKeychain {
        let other = try copy()
        try FileManager.default.removeItem(atPath: other.stateFolder)
        return other
    }

    /// The keybag as it is stored.
    func keybag() throws -> Keybag {
        try Keybag(decoding: RawDatabase(location.file).blob("SELECT keybag FROM keychain"))
    }

    /// Replaces the keybag with bytes.
    func replaceKeybag(_ keybag: [UInt8]) throws {
        try RawDatabase(location.file)
            .execute("UPDATE keychain SET keybag = ?1", .blob(keybag))
    }

    func machineKey() throws -> MachineKey {
        try MachineKey.readOrMake(stateFolder: stateFolder)
    }
}

extension SealedStore {
    /// Makes a recovery key and returns it.
    func makeRecoveryKey(replaces: Bool = false) throws(KeychainError) -> Secret {
        var shown: Secret?
        try makeRecoveryKey(replaces: replaces) { key throws(KeychainError) in shown = key.copy() }
        return shown.take()!
    }
}
