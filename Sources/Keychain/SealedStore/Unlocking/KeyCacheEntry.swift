internal import KeychainServices

/// The content of one of a keychain's entries in the kernel's keyring.
///
/// Version (2 bytes, 1), generation (8) and digest of the keybag (32), the time at which it expires
/// (8) and the number of keys (1). Each key has its class (1), generation (4) and the key (32).
final class KeyCacheEntry {
    /// The kinds of entries.
    enum Kind: UInt8, CaseIterable {
        /// Keys that need an unlocked keychain; it expires with the time-out.
        case unlocked = 1
        /// Keys that need a first unlock.
        case firstUnlock = 2
        /// The key for items that ask, after a touch; it expires with the touch's time.
        case presence = 3

        /// The kinds that unlocking a keychain leaves.
        static let ofUnlocking: [Kind] = [.unlocked, .firstUnlock]

        /// Returns the kind for keys of a class; nil if they are never locked, or never cached.
        init?(_ keyClass: ProtectionClass) {
            switch keyClass {
            case .secrets(.whenUnlocked), .secrets(.whenUnlockedThisDeviceOnly),
                .secrets(.whenPasscodeSetThisDeviceOnly):
                self = .unlocked
            case .secrets(.afterFirstUnlock), .secrets(.afterFirstUnlockThisDeviceOnly):
                self = .firstUnlock
            case .presence: self = .presence
            case .metadata, .secrets(.always), .secrets(.alwaysThisDeviceOnly): return nil
            }
        }
    }

    /// The time at which it expires, in seconds since the machine started.
    let locksAt: UInt64
    /// The digest of the keybag that its keys are from, 32 bytes.
    let keybagDigest: [UInt8]
    private let content: Secret

    /// The time that means never.
    static let never = UInt64.max
    private static let headerSize = 2 + 8 + 32 + 8 + 1
    private static let idSize = 1 + 4
    private static let keySize = 32

    init(_ content: consuming Secret) throws(KeychainError) {
        guard content.count >= Self.headerSize else {
            throw KeychainError(.decode)
        }
        var reader = ByteReader(Self.bytes(content, at: 0, count: Self.headerSize))
        guard try reader.number(UInt16.self) == 1 else {
            throw KeychainError(.wrongVersion)
        }
        _ = try reader.number(UInt64.self)
        keybagDigest = try reader.raw(32)
        locksAt = try reader.number()
        let count = Int(try reader.number(UInt8.self))
        guard content.count == Self.headerSize + count * (Self.idSize + Self.keySize) else {
            throw KeychainError(.decode)
        }
        self.content = content
    }

    /// Returns a class key, nil if this entry lacks it.
    func key(
        _ wrapped: WrappedClassKey, keychainID: [UInt8]
    ) throws(KeychainError) -> ClassKey? {
        var position = Self.headerSize
        while position < content.count {
            var reader = ByteReader(Self.bytes(content, at: position, count: Self.idSize))
            position += Self.idSize
            let number = try reader.number(UInt8.self)
            if number == wrapped.id.keyClass.number,
                try reader.number(UInt32.self) == wrapped.id.generation
            {
                let key = content.withBytes { bytes in
                    Secret(copying: bytes.extracting(position..<(position + Self.keySize)))
                }
                return try wrapped.checked(key, keychainID: keychainID)
            }
            position += Self.keySize
        }
        return nil
    }

    /// Returns the stored form of an entry with all its available keys.
    static func encode(
        _ kind: Kind, _ keys: UnlockedKeys, locksAt: UInt64
    ) throws(KeychainError) -> Secret {
        var classKeys: [ClassKey] = []
        for wrapped in keys.keybag.classKeys where Kind(wrapped.id.keyClass) == kind {
            if let key = try keys.find(wrapped) {
                classKeys.append(key)
            }
        }
        var header = ByteWriter()
        header.number(UInt16(1))
        header.number(keys.keybag.generation)
        header.raw(keys.keybagDigest)
        header.number(locksAt)
        header.number(UInt8(classKeys.count))
        var content = SecretBuilder(capacity: 512)
        content.append(ByteString(header.bytes))
        for key in classKeys {
            var id = ByteWriter()
            id.number(key.id.keyClass.number)
            id.number(key.id.generation)
            content.append(ByteString(id.bytes))
            content.append(key.key)
        }
        return content.finish()
    }

    private static func bytes(_ content: borrowing Secret, at start: Int, count: Int) -> [UInt8] {
        content.withBytes { bytes in
            ByteString(copying: bytes.extracting(start..<(start + count))).bytes
        }
    }
}
