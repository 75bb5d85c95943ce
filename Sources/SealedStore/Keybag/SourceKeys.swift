internal import Cryptography
internal import KeychainServices
internal import LinuxSystem

/// The keys of those of a keybag's sources that are at hand.
struct SourceKeys {
    /// One or two: a dictionary takes longer to be set up than it ever saves.
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

    /// The key that wraps, which takes the keys of all these sources: made of them in their order, each with
    /// its length (4 bytes) before it. Nil if one is not at hand.
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
