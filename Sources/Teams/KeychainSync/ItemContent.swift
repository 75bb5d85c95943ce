internal import KeychainServices
internal import LanyardSecrets

/// An item of a keychain as its team gets it: the class, the attributes and the secret in one piece.
///
/// The form is a format (1 byte), the class (4), the accessibility (1), the attributes and the secret, each
/// with its length (4).
struct ItemContent: ~Copyable {
    let itemClass: ItemClass
    /// Without the date of the last change, which every keychain sets itself.
    let attributes: ItemAttributes
    let secret: Secret

    private static let format: UInt8 = 1

    init(_ itemClass: ItemClass, _ attributes: ItemAttributes, secret: consuming Secret) {
        self.itemClass = itemClass
        self.attributes = attributes.filter { $0.attribute != .modificationDate }
        self.secret = secret
    }

    /// Whether an item with these attributes can leave its machine, and be read without a question.
    static func travels(_ attributes: ItemAttributes) -> Bool {
        attributes.accessControl == nil && attributes.accessible?.isThisDeviceOnly != true
            && !TeamDevice.isDevice(attributes)
    }

    /// The stored form.
    var bytes: Secret { bytes(attributes) }

    /// A digest by which a keychain finds out whether the item was changed, under a key of its own.
    func digest(under key: borrowing Secret) -> ItemDigest {
        // A keychain may bound the date.
        let bytes = bytes(attributes.filter { $0.attribute != .creationDate })
        return bytes.withBytes { ItemDigest($0, under: key) }
    }

    /// A digest of what makes the item unique.
    func identity(under key: borrowing Secret) -> ItemDigest {
        ItemDigest(ItemIdentity(itemClass, attributes).bytes.span, under: key)
    }

    private func bytes(_ attributes: ItemAttributes) -> Secret {
        let encoded = AttributesCoding.encode(attributes)
        var bytes = SecretBuilder(capacity: 16 + encoded.count + secret.count)
        bytes.append(ItemContent.format)
        bytes.append(itemClass.rawValue.rawValue.bigEndianBytes.span)
        bytes.append((attributes.accessible ?? .whenUnlocked).rawValue)
        bytes.append(UInt32(encoded.count).bigEndianBytes.span)
        bytes.append(encoded.span)
        bytes.append(UInt32(secret.count).bigEndianBytes.span)
        bytes.append(secret)
        return bytes.finish()
    }

    /// Reads the stored form.
    ///
    /// - Throws: ``Status/decode`` for anything that ``bytes`` does not make; ``Status/wrongVersion`` for a
    ///   later form.
    init(_ bytes: borrowing Secret) throws(KeychainError) {
        self = try bytes.withBytes { (bytes) throws(KeychainError) -> ItemContent in
            guard bytes.count >= 14 else {
                throw KeychainError(.decode)
            }
            guard bytes[0] <= ItemContent.format else {
                throw KeychainError(
                    .wrongVersion, "an item of the team has a form that this Lanyard does not know",
                    hint: "install a newer Lanyard")
            }
            let attributesEnd =
                10 + (bytes.extracting(6..<10).number(UInt32.self).map(Int.init) ?? 0)
            guard bytes[0] == ItemContent.format,
                let code = bytes.extracting(1..<5).number(UInt32.self),
                let accessible = Accessibility(rawValue: bytes[5]),
                attributesEnd + 4 <= bytes.count,
                let count = bytes.extracting(attributesEnd..<attributesEnd + 4)
                    .number(UInt32.self),
                attributesEnd + 4 + Int(count) == bytes.count
            else {
                throw KeychainError(.decode)
            }
            let itemClass = ItemClass(rawValue: FourCharacterCode(rawValue: code))
            // A keychain refuses to store others: a member would stop everybody's exchange with one.
            guard ItemClass.stored.contains(itemClass), count <= Keychain.secretLimit else {
                throw KeychainError(.decode)
            }
            let attributes = try AttributesCoding.decode(
                bytes.extracting(10..<attributesEnd), accessible: accessible)
            do throws(KeychainError) {
                try attributes.check(for: itemClass)
            } catch {
                throw KeychainError(.decode)
            }
            guard ItemContent.travels(attributes) else {
                throw KeychainError(.decode)
            }
            return ItemContent(
                itemClass, attributes,
                secret: Secret(copying: bytes.extracting(droppingFirst: attributesEnd + 4)))
        }
    }
}
