internal import Keychain

/// The keys of an open keychain: those derived from the metadata key, which is always readable, and
/// the class keys that have been needed so far.
final class UnlockedKeys {
    let keybag: Keybag
    /// The keybag's stored form, which tells whether another process has changed it.
    let encodedKeybag: [UInt8]
    let metadataKey: Secret
    let metadataGeneration: UInt32
    let indexKey: Secret
    let rowSetKey: Secret
    private let machineWrappingKey: Secret
    private let machineSource: UInt16
    private var classKeys: [Accessibility: ClassKey] = [:]

    /// A class key, unwrapped.
    final class ClassKey {
        let key: Secret
        let generation: UInt32

        init(_ key: consuming Secret, generation: UInt32) {
            self.key = key
            self.generation = generation
        }
    }

    /// Opens a keybag with the machine key.
    ///
    /// - Throws: ``Status/authFailed`` if it is wrapped under other machines' keys only,
    ///   ``Status/decode`` if it does not authenticate.
    init(
        encodedKeybag: [UInt8], machineKey: borrowing MachineKey
    ) throws(KeychainError) {
        let keybag: Keybag
        do throws(KeychainError) {
            keybag = try Keybag(decoding: encodedKeybag)
        } catch {
            throw error.status == .decode ? Self.damaged : error
        }
        guard let source = keybag.sources.firstIndex(of: .machineKey(id: machineKey.id)) else {
            throw KeychainError(
                .authFailed, "the keychain was sealed under another machine key",
                hint: "put back the machine-key file that belongs to this keychain")
        }
        machineSource = UInt16(source)
        machineWrappingKey = Keybag.wrappingKey(machineKey.key)
        guard let wrapped = keybag.classKey(.metadata),
            let metadataKey = try? Self.unwrap(
                wrapped, of: keybag, source: machineSource, machineWrappingKey),
            keybag.isAuthentic(metadataKey: metadataKey)
        else {
            throw Self.damaged
        }
        self.keybag = keybag
        self.encodedKeybag = encodedKeybag
        metadataGeneration = wrapped.generation
        indexKey = KeyDerivation.derive(
            metadataKey, salt: keybag.keychainID, use: "lanyard blind index")
        rowSetKey = KeyDerivation.derive(
            metadataKey, salt: keybag.keychainID, use: "lanyard row set")
        self.metadataKey = metadataKey
    }

    /// The key for the secrets of an accessibility.
    ///
    /// - Throws: ``Status/authFailed`` if the keychain has no such key, ``Status/decode`` if it
    ///   can't be unwrapped.
    func classKey(_ accessible: Accessibility) throws(KeychainError) -> ClassKey {
        if let key = classKeys[accessible] {
            return key
        }
        guard let wrapped = keybag.classKey(.secrets(accessible)) else {
            throw KeychainError(.authFailed, "the keychain has no passphrase")
        }
        let key: ClassKey
        do throws(KeychainError) {
            key = ClassKey(
                try Self.unwrap(wrapped, of: keybag, source: machineSource, machineWrappingKey),
                generation: wrapped.generation)
        } catch {
            throw Self.damaged
        }
        classKeys[accessible] = key
        return key
    }

    private static func unwrap(
        _ wrapped: WrappedClassKey, of keybag: Keybag, source: UInt16,
        _ wrappingKey: borrowing Secret
    ) throws(KeychainError) -> Secret {
        guard let wrapping = wrapped.wrappings.first(where: { $0.sources == [source] }) else {
            throw KeychainError(.interactionNotAllowed)
        }
        return try wrapped.unwrap(wrapping, under: wrappingKey, of: keybag)
    }

    private static var damaged: KeychainError {
        KeychainError(
            .decode, "the keychain's keys are damaged or were tampered with",
            hint: "put the keychain file back from a backup")
    }
}
