internal import KeychainServices
internal import LinuxSystem

/// The id of a class key: its class, and its generation among the keys of that class.
struct ClassKeyID: Hashable {
    let keyClass: ProtectionClass
    /// From 1.
    let generation: UInt32

    /// Whether it precedes another one in a keybag. Only a class that is bound to machines can have
    /// several keys.
    func isBefore(_ other: ClassKeyID) -> Bool {
        keyClass == other.keyClass
            ? keyClass.isThisDeviceOnly && generation < other.generation
            : keyClass.number < other.keyClass.number
    }
}

/// An unwrapped class key.
final class ClassKey {
    let id: ClassKeyID
    let key: Secret

    init(_ id: ClassKeyID, _ key: consuming Secret) {
        SystemCalls.lockInMemory(key)
        self.id = id
        self.key = key
    }

    static func make(_ id: ClassKeyID) throws(KeychainError) -> ClassKey {
        ClassKey(id, try RandomBytes.makeKey())
    }
}
