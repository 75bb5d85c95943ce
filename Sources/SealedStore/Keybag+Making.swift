internal import Keychain

extension Keybag {
    /// The keybag of a new keychain: fresh class keys of generation 1, wrapped by the machine key.
    static func make(machineKey: borrowing MachineKey) throws(KeychainError) -> NewKeybag {
        var keybag = Keybag(
            keychainID: try RandomBytes.make(16), sources: [.machineKey(id: machineKey.id)])
        let wrappingKey = Keybag.wrappingKey(machineKey.key)
        let metadataKey = try RandomBytes.makeKey()
        for keyClass in KeyClass.withoutPassphrase {
            let key = keyClass == .metadata ? metadataKey.copy() : try RandomBytes.makeKey()
            var wrapped = WrappedClassKey(
                key, keyClass, generation: 1, keychainID: keybag.keychainID)
            try wrapped.wrap(key, under: wrappingKey, sources: [0], of: keybag)
            keybag.classKeys.append(wrapped)
        }
        keybag.authenticate(metadataKey: metadataKey)
        return NewKeybag(keybag: keybag, metadataKey: metadataKey)
    }
}

/// A keybag that was just made, and the one of its keys that making a keychain takes.
struct NewKeybag: ~Copyable {
    let keybag: Keybag
    let metadataKey: Secret
}
