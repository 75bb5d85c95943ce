internal import LanyardCryptography
internal import KeychainServices

/// A class key in the keybag, wrapped in one or more ways.
struct WrappedClassKey {
    /// One wrapping of the key.
    struct Wrapping {
        /// The required sources, all of them together, as positions in the keybag's list.
        var sources: [UInt16]
        /// The key in a ``SealedBox``, 72 bytes.
        var box: [UInt8]
    }

    let id: ClassKeyID
    /// Proves that an unwrapped key is the right one before it encrypts anything, 32 bytes.
    let digest: [UInt8]
    var wrappings: [Wrapping]

    /// The length of a wrapping's box.
    static let boxSize = 32 + SealedBox.overhead

    /// Appends class (1 byte), generation (4), digest (32) and the number of wrappings (2). Each
    /// wrapping has the number of its sources (1), their positions (2 each) and the box (72).
    func encode(to writer: inout ByteWriter) {
        writer.number(id.keyClass.number)
        writer.number(id.generation)
        writer.raw(digest)
        writer.number(UInt16(wrappings.count))
        for wrapping in wrappings {
            writer.number(UInt8(wrapping.sources.count))
            for source in wrapping.sources {
                writer.number(source)
            }
            writer.raw(wrapping.box)
        }
    }

    init(from reader: inout ByteReader, sourceCount: Int) throws(KeychainError) {
        id = ClassKeyID(
            keyClass: try ProtectionClass(number: try reader.number()),
            generation: try reader.number())
        digest = try reader.raw(32)
        wrappings = []
        for _ in 0..<(try reader.number(UInt16.self)) {
            var sources: [UInt16] = []
            for _ in 0..<(try reader.number(UInt8.self)) {
                sources.append(try reader.number())
            }
            guard (1...2).contains(sources.count),
                sources.count == 1 || sources[0] != sources[1],
                sources.allSatisfy({ $0 < sourceCount })
            else {
                throw KeychainError(.decode)
            }
            wrappings.append(Wrapping(sources: sources, box: try reader.raw(Self.boxSize)))
        }
    }

    /// Creates a class key without any wrapping.
    init(_ key: ClassKey, keychainID: [UInt8]) {
        id = key.id
        wrappings = []
        digest = Self.digest(of: key.key, id, keychainID: keychainID)
    }

    /// Adds a wrapping.
    ///
    /// - Parameters:
    ///   - wrappingKey: The key that ``SourceKeys/wrappingKey(_:keychainID:)`` made of the sources' keys.
    ///   - sources: The sources' positions in the keybag.
    mutating func wrap(
        _ key: borrowing Secret, under wrappingKey: borrowing Secret, sources: [UInt16],
        of keybag: Keybag
    ) throws(KeychainError) {
        let associatedData = associatedData(sources: sources, of: keybag)
        let box = try key.withBytes { bytes throws(KeychainError) in
            try SealedBox.seal(bytes, under: wrappingKey, associatedData: associatedData)
        }
        wrappings.append(Wrapping(sources: sources, box: box))
    }

    /// Returns the key from the first wrapping whose sources are available, nil if there is none.
    ///
    /// - Throws: ``Status/decode`` if the wrapping belongs to another key or contains one.
    func unwrap(
        with sourceKeys: SourceKeys, of keybag: Keybag
    ) throws(KeychainError) -> ClassKey? {
        for wrapping in wrappings {
            let sources = wrapping.sources.map { keybag.sources[Int($0)] }
            guard let wrappingKey = sourceKeys.wrappingKey(sources, keychainID: keybag.keychainID)
            else {
                continue
            }
            let key = try SealedBox.open(
                wrapping.box.span, under: wrappingKey,
                associatedData: associatedData(sources: wrapping.sources, of: keybag))
            return try checked(key, keychainID: keybag.keychainID)
        }
        return nil
    }

    /// Returns a key after checking that it is this one.
    ///
    /// - Throws: ``Status/decode`` if it is not.
    func checked(
        _ key: consuming Secret, keychainID: [UInt8]
    ) throws(KeychainError) -> ClassKey {
        guard Self.digest(of: key, id, keychainID: keychainID).hasSameBytes(as: digest) else {
            throw KeychainError(.decode)
        }
        return ClassKey(id, key)
    }

    private func associatedData(sources: [UInt16], of keybag: Keybag) -> [UInt8] {
        var data = ByteWriter()
        data.raw("lanyard wrapping")
        data.raw(keybag.keychainID)
        data.number(id.keyClass.number)
        data.number(id.generation)
        data.raw(digest)
        data.number(UInt8(sources.count))
        for source in sources {
            keybag.sources[Int(source)].encode(to: &data)
        }
        return data.bytes
    }

    private static func digest(
        of key: borrowing Secret, _ id: ClassKeyID, keychainID: [UInt8]
    ) -> [UInt8] {
        // Keyed with the class key itself: the digest reveals nothing about it.
        var context = ByteWriter()
        context.raw(keychainID)
        context.number(id.keyClass.number)
        context.number(id.generation)
        return KeyDerivation.withKey(
            key, label: "lanyard class key digest", context: context.bytes.span
        ) { ByteString(copying: $0).bytes }
    }
}
