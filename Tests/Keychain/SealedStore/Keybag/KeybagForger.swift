import Foundation
import KeychainServices

@testable import SealedStore

/// An attacker who has a keychain's file and its machine key, but not its passphrase, and makes another
/// keybag for it.
final class KeybagForger {
    let scratch: ScratchKeychain
    let metadata: ClassKey
    /// Keys of the forger's own, for every class.
    private let ownKeys: [ProtectionClass: ClassKey]
    let ownRecoveryKey: RecoveryKey

    init(_ scratch: ScratchKeychain) throws {
        self.scratch = scratch
        let keys = try UnlockedKeys(
            encodedKeybag: scratch.keybag().encoded, machineKey: scratch.machineKey())
        metadata = keys.metadata
        var ownKeys: [ProtectionClass: ClassKey] = [:]
        for keyClass in ProtectionClass.all(hasPassphrase: true) where keyClass != .metadata {
            ownKeys[keyClass] = try ClassKey.make(
                ClassKeyID(keyClass: keyClass, generation: 100))
        }
        self.ownKeys = ownKeys
        ownRecoveryKey = try RecoveryKey.make()
    }

    func ownKey(_ keyClass: ProtectionClass) -> ClassKey {
        keyClass == .metadata ? metadata : ownKeys[keyClass]!
    }

    /// Replaces a class key with the forger's own, with no way to it yet.
    func replace(_ keyClass: ProtectionClass, in keybag: inout Keybag) {
        let index = keybag.classKeys.firstIndex { $0.id.keyClass == keyClass }!
        keybag.classKeys[index] = WrappedClassKey(
            ownKey(keyClass), keychainID: keybag.keychainID)
    }

    /// Adds a way to a class key of the forger's own.
    func wrap(
        _ keyClass: ProtectionClass, under sourceKeys: SourceKeys, _ sources: [KeySource],
        in keybag: inout Keybag
    ) throws {
        let index = keybag.classKeys.firstIndex { $0.id.keyClass == keyClass }!
        var key = keybag.classKeys[index]
        try key.wrap(
            ownKey(keyClass).key,
            under: sourceKeys.wrappingKey(sources, keychainID: keybag.keychainID)!,
            sources: sources.map { UInt16(keybag.sources.firstIndex(of: $0)!) }, of: keybag)
        keybag.classKeys[index] = key
    }

    /// Authenticates the keybag as far as the forger can, and writes it.
    ///
    /// - Parameter ownUnlockedTag: Whether the second tag is made with the forger's own key.
    func write(_ keybag: Keybag, ownUnlockedTag: Bool) throws {
        var keybag = keybag
        keybag.generation += 1
        let unlockedTag = keybag.unlockedTag
        keybag.authenticate(
            metadataKey: metadata.key, unlockedKey: ownKey(.secrets(.whenUnlocked)).key)
        if !ownUnlockedTag, keybag.hasPassphrase {
            keybag.unlockedTag = unlockedTag
        }
        try scratch.replaceKeybag(keybag.encoded)
    }
}
