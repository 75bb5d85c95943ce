internal import Cryptography
internal import Keychain
internal import LinuxSystem

/// Seals items into rows and opens rows again.
struct ItemSealing {
    private let keys: UnlockedKeys
    private let lastTags: LastTags

    /// - Parameter lastTags: The tags that were made last; nil for those of the keys, which one thread
    ///   alone may use.
    init(_ keys: UnlockedKeys, lastTags: LastTags? = nil) {
        self.keys = keys
        self.lastTags = lastTags ?? keys.lastTags
    }

    /// Which of a row's two boxes is meant.
    private enum Part: UInt8 {
        case attributes = 1
        case secret = 2
    }

    /// Seals attributes and tags into a row, after which its secret fits only if neither the
    /// item's identity nor its accessibility changed.
    func sealAttributes(
        _ attributes: ItemAttributes, into row: inout ItemRow
    ) throws(KeychainError) {
        let identity = ItemIdentity(row.itemClass, attributes)
        try sealAttributes(attributes, identity, salt: nil, into: &row)
    }

    private func sealAttributes(
        _ attributes: ItemAttributes, _ identity: ItemIdentity, salt: [UInt8]?,
        into row: inout ItemRow
    ) throws(KeychainError) {
        row.accessible = attributes.accessible ?? .whenUnlocked
        row.metadataGeneration = keys.metadata.id.generation
        row.tags = BlindIndex(keys, lastTags).tags(row.itemClass, attributes, identity)
        let padded = Padding.pad(AttributesCoding.encode(attributes).span)
        let associatedData = associatedData(row, .attributes, identity: nil)
        row.attributes = try padded.withBytes { bytes throws(KeychainError) in
            try SealedBox.seal(
                bytes, under: keys.metadata.key, use: "lanyard attributes",
                associatedData: associatedData, salt: salt)
        }
    }

    /// Seals a secret into a row whose attributes are sealed.
    func sealSecret(
        _ secret: borrowing Secret, of attributes: ItemAttributes, into row: inout ItemRow
    ) throws(KeychainError) {
        try sealSecret(
            secret, ItemIdentity(row.itemClass, attributes),
            under: try keys.classKey(row.accessible), salt: nil, into: &row)
    }

    private func sealSecret(
        _ secret: borrowing Secret, _ identity: ItemIdentity, under classKey: ClassKey,
        salt: [UInt8]?, into row: inout ItemRow
    ) throws(KeychainError) {
        row.secretGeneration = classKey.id.generation
        let padded = secret.withBytes { Padding.pad($0) }
        let associatedData = associatedData(row, .secret, identity: identity)
        row.secret = try padded.withBytes { bytes throws(KeychainError) in
            try SealedBox.seal(
                bytes, under: classKey.key, use: "lanyard secret",
                associatedData: associatedData, salt: salt)
        }
    }

    /// Seals a new item into a row.
    ///
    /// - Parameters:
    ///   - identity: The item's.
    ///   - classKey: The key of the item's accessibility.
    ///   - random: Gives the salts.
    func seal(
        _ attributes: ItemAttributes, _ identity: ItemIdentity, _ secret: borrowing Secret,
        under classKey: ClassKey, _ random: inout RandomReserve, into row: inout ItemRow
    ) throws(KeychainError) {
        try sealAttributes(
            attributes, identity, salt: try random.take(SealedBox.saltSize), into: &row)
        try sealSecret(
            secret, identity, under: classKey, salt: try random.take(SealedBox.saltSize),
            into: &row)
    }

    /// The attributes of a row, after checking that its tags are theirs.
    ///
    /// - Throws: ``Status/decode`` if the row was changed or put together from others.
    func openAttributes(_ row: ItemRow) throws(KeychainError) -> ItemAttributes {
        guard row.metadataGeneration == keys.metadata.id.generation else {
            throw damaged
        }
        let associatedData = associatedData(row, .attributes, identity: nil)
        do throws(KeychainError) {
            let padded = try SealedBox.open(
                row.attributes.span, under: keys.metadata.key, use: "lanyard attributes",
                associatedData: associatedData)
            let attributes = try Padding.withoutPadding(padded) { bytes throws(KeychainError) in
                try AttributesCoding.decode(bytes, accessible: row.accessible)
            }
            guard BlindIndex(keys, lastTags).tags(row.itemClass, attributes) == row.tags else {
                throw KeychainError(.decode)
            }
            return attributes
        } catch {
            throw error.status == .decode ? damaged : error
        }
    }

    /// The secret of a row with these attributes.
    ///
    /// - Throws: ``Status/decode`` if it was changed or is another item's.
    func openSecret(
        _ row: ItemRow, of attributes: ItemAttributes
    ) throws(KeychainError) -> Secret {
        let classKey = try keys.classKey(
            ClassKeyID(keyClass: .secrets(row.accessible), generation: row.secretGeneration))
        let associatedData = associatedData(
            row, .secret, identity: ItemIdentity(row.itemClass, attributes))
        do throws(KeychainError) {
            let padded = try SealedBox.open(
                row.secret.span, under: classKey.key, use: "lanyard secret",
                associatedData: associatedData)
            return try Padding.withoutPadding(padded) { bytes throws(KeychainError) in
                Secret(copying: bytes).locked()
            }
        } catch {
            throw error.status == .decode ? damaged : error
        }
    }

    /// Format version (2 bytes), keychain id (16), item id (16), class (4), accessibility (1), the
    /// key's generation (4) and the part (1); for attributes then the number of the change (8), for
    /// a secret the SHA-256 digest of the item's identity (32).
    private func associatedData(
        _ row: ItemRow, _ part: Part, identity: ItemIdentity?
    ) -> [UInt8] {
        [UInt8](room: 76) { data in
            data.append(bigEndian: UInt16(1))
            data.append(copying: keys.keybag.keychainID)
            data.append(bigEndian: row.id.high)
            data.append(bigEndian: row.id.low)
            data.append(bigEndian: row.itemClass.rawValue.rawValue)
            data.append(row.accessible.rawValue)
            data.append(
                bigEndian: part == .attributes ? row.metadataGeneration : row.secretGeneration)
            data.append(part.rawValue)
            if let identity {
                data.append(copying: sha256(identity.bytes.span))
            } else {
                data.append(bigEndian: row.change)
            }
        }
    }

    private var damaged: KeychainError {
        KeychainError(.decode, hint: "put the keychain file back from a backup")
    }
}
