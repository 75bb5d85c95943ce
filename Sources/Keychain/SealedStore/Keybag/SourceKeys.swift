internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem

/// The keys of a keybag's available sources.
struct SourceKeys {
    /// One or two: setting up a dictionary would take longer than it saves.
    private var keys: [SourceKey] = []

    private final class SourceKey {
        let source: KeySource
        let key: Secret

        init(_ source: KeySource, _ key: consuming Secret) {
            SystemCalls.lockInMemory(key)
            self.source = source
            self.key = key
        }
    }

    mutating func add(_ key: consuming Secret, of source: KeySource) {
        keys.removeAll { $0.source == source }
        keys.append(SourceKey(source, key))
    }

    mutating func add(_ machineKey: MachineKey) {
        add(machineKey.key.copy(), of: machineKey.source)
    }

    func contains(_ source: KeySource) -> Bool { keys.contains { $0.source == source } }

    /// Returns the wrapping key for some sources, made of their keys in this order, each preceded
    /// by its length (4 bytes). Nil if one is not available.
    func wrappingKey(_ sources: [KeySource], keychainID: [UInt8]) -> Secret? {
        var builder = SecretBuilder(capacity: 128)
        for source in sources {
            guard let source = keys.first(where: { $0.source == source }) else {
                return nil
            }
            var shift = 24
            while shift >= 0 {
                builder.append(UInt8(truncatingIfNeeded: source.key.count >> shift))
                shift -= 8
            }
            builder.append(source.key)
        }
        return KeyDerivation.combine(
            builder.finish(), label: "lanyard wrapping", id: keychainID)
    }
}
