internal import Keychain

/// The class keys of a keychain, each wrapped, with everything that it takes to unwrap them and to
/// tell whether somebody changed them.
struct Keybag {
    /// Names the keychain: 16 random bytes.
    let keychainID: [UInt8]
    /// Counts the changes of the keybag, from 1.
    var generation: UInt64
    /// Whether every class takes passphrase and machine key together.
    var isPortable: Bool
    var sources: [KeySource]
    /// Metadata first, then the accessibilities in the order of their numbers.
    var classKeys: [WrappedClassKey]
    /// The authentication under the metadata key, 32 bytes.
    private(set) var tag: [UInt8] = []
    /// The authentication under the key of whenUnlocked, 32 bytes; none without a passphrase.
    private(set) var unlockedTag: [UInt8] = []

    /// How many bytes a stored keybag may have.
    static let sizeLimit = 65_536

    init(keychainID: [UInt8], sources: [KeySource]) {
        self.keychainID = keychainID
        self.sources = sources
        generation = 1
        isPortable = true
        classKeys = []
    }

    /// Version (2 bytes, 1), keychain id (16), generation (8), flags (4, bit 0: not portable), the
    /// number of sources (2) and the sources, the number of class keys (2) and the class keys.
    private var content: [UInt8] {
        var writer = ByteWriter()
        writer.number(UInt16(1))
        writer.raw(keychainID)
        writer.number(generation)
        writer.number(UInt32(isPortable ? 0 : 1))
        writer.number(UInt16(sources.count))
        for source in sources {
            source.encode(to: &writer)
        }
        writer.number(UInt16(classKeys.count))
        for key in classKeys {
            key.encode(to: &writer)
        }
        return writer.bytes
    }

    /// The stored form: what is authenticated, then the tags, each counted.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.raw(content)
        writer.counted(tag)
        writer.counted(unlockedTag)
        return writer.bytes
    }

    /// Reads the stored form. Nothing in it is to be believed before ``authenticate(metadataKey:)``.
    ///
    /// - Throws: ``Status/decode`` if it is none.
    init(decoding bytes: [UInt8]) throws(KeychainError) {
        guard bytes.count <= Keybag.sizeLimit else {
            throw KeychainError(.decode)
        }
        var reader = ByteReader(bytes)
        guard try reader.number(UInt16.self) == 1 else {
            throw KeychainError(.wrongVersion, hint: "install a newer lanyard")
        }
        keychainID = try reader.raw(16)
        generation = try reader.number()
        let flags = try reader.number(UInt32.self)
        guard flags <= 1 else {
            throw KeychainError(.decode)
        }
        isPortable = flags == 0
        sources = []
        for _ in 0..<(try reader.number(UInt16.self)) {
            sources.append(try KeySource(from: &reader))
        }
        classKeys = []
        for _ in 0..<(try reader.number(UInt16.self)) {
            let key = try WrappedClassKey(from: &reader, sourceCount: sources.count)
            if let last = classKeys.last, last.keyClass.number >= key.keyClass.number {
                throw KeychainError(.decode)
            }
            classKeys.append(key)
        }
        tag = try reader.counted()
        unlockedTag = try reader.counted()
        try reader.end()
        // Nothing vouches for the second tag while there is no passphrase.
        guard tag.count == 32,
            unlockedTag.count == (sources.contains(where: \.isPassphrase) ? 32 : 0)
        else {
            throw KeychainError(.decode)
        }
    }

    /// The class key of a class, wrapped; nil if the keychain has none.
    func classKey(_ keyClass: KeyClass) -> WrappedClassKey? {
        classKeys.first { $0.keyClass == keyClass }
    }

    /// Computes the authentication anew, after a change.
    mutating func authenticate(metadataKey: borrowing Secret) {
        tag = expectedTag(metadataKey)
    }

    /// Whether the keybag is as it was authenticated.
    func isAuthentic(metadataKey: borrowing Secret) -> Bool {
        tag == expectedTag(metadataKey)
    }

    private func expectedTag(_ metadataKey: borrowing Secret) -> [UInt8] {
        let key = KeyDerivation.derive(
            metadataKey, salt: keychainID, use: "lanyard keybag authentication")
        let digest = key.withBytes { HMACSHA256(key: $0) }
        digest.update(content)
        return digest.finish()
    }

    /// The key that wraps, made of one source's key or two: each with its length (4 bytes) before
    /// it, so that no two pairs are the same bytes.
    static func wrappingKey(
        _ first: borrowing Secret, _ second: borrowing Secret? = nil
    ) -> Secret {
        var builder = SecretBuilder(capacity: 128)
        append(first, to: &builder)
        switch second {
        case .some(let second): append(second, to: &builder)
        case .none: break
        }
        return builder.finish()
    }

    private static func append(_ key: borrowing Secret, to builder: inout SecretBuilder) {
        for shift in [24, 16, 8, 0] {
            builder.append(UInt8(truncatingIfNeeded: key.count >> shift))
        }
        builder.append(key)
    }
}
