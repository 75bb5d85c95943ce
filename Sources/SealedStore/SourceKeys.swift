internal import Keychain
internal import LinuxSystem

/// The keys of those of a keybag's sources that are at hand.
struct SourceKeys {
    private var keys: [KeySource: SourceKey] = [:]

    private final class SourceKey {
        let key: Secret

        init(_ key: consuming Secret) {
            SystemCalls.lockInMemory(key)
            self.key = key
        }
    }

    mutating func add(_ key: consuming Secret, of source: KeySource) {
        keys[source] = SourceKey(key)
    }

    mutating func add(_ machineKey: MachineKey) {
        add(machineKey.key.copy(), of: .machineKey(id: machineKey.id))
    }

    func contains(_ source: KeySource) -> Bool { keys[source] != nil }

    /// The key that wraps, made of the keys of all these sources, in their order: each with its length
    /// (4 bytes) before it, so that no two lists are the same bytes. Nil if one is not at hand.
    func wrappingKey(_ sources: [KeySource]) -> Secret? {
        var builder = SecretBuilder(capacity: 128)
        for source in sources {
            guard let source = keys[source] else {
                return nil
            }
            for shift in [24, 16, 8, 0] {
                builder.append(UInt8(truncatingIfNeeded: source.key.count >> shift))
            }
            builder.append(source.key)
        }
        return builder.finish()
    }
}
