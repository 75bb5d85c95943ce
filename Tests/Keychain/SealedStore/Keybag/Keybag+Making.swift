import KeychainServices

@testable import SealedStore

/// A keybag as a new keychain has it, and the one key that a test needs to forge another.
struct NewKeybag {
    let keybag: Keybag
    let metadata: ClassKey
}

extension Keybag {
    static func make(machineKey: MachineKey) throws(KeychainError) -> NewKeybag {
        var draft = try KeybagDraft(newUnder: machineKey)
        try draft.complete()
        let keybag = try draft.finish()!
        let keys = try UnlockedKeys(encodedKeybag: keybag.encoded, machineKey: machineKey)
        return NewKeybag(keybag: keybag, metadata: keys.metadata)
    }

    /// Authenticates a keybag without a passphrase, as an attacker with the machine key can.
    mutating func authenticate(metadataKey: borrowing Secret) {
        authenticate(metadataKey: metadataKey, unlockedKey: metadataKey)
    }
}

extension UnlockedKeys {
    /// Those of a new keybag.
    static func made() throws -> UnlockedKeys {
        let scratch = try ScratchKeychain(make: false)
        let machineKey = try MachineKey.readOrMake(stateFolder: scratch.stateFolder)
        let keybag = try Keybag.make(machineKey: machineKey).keybag
        return try UnlockedKeys(encodedKeybag: keybag.encoded, machineKey: machineKey)
    }

    convenience init(encodedKeybag: [UInt8], machineKey: MachineKey) throws(KeychainError) {
        var sourceKeys = SourceKeys()
        sourceKeys.add(machineKey)
        try self.init(
            file: "x", encodedKeybag: encodedKeybag, sourceKeys: sourceKeys,
            machineKey: machineKey)
    }
}
