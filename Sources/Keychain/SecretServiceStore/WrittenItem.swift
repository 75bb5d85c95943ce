#if SecretService
internal import KeychainServices

/// The properties with which the Secret Service stores an item.
struct WrittenItem {
    var label: ByteString
    var attributes: [ByteString: ByteString]

    init(label: ByteString, attributes: [ByteString: ByteString]) {
        self.label = label
        self.attributes = attributes
    }

    /// Creates a new item's properties, with its own dates if it brings them along.
    init(
        adding itemClass: ItemClass, _ attributes: ItemAttributes, _ secret: SecretBox,
        changed: Int64
    ) {
        self.init(itemClass, attributes, changed: changed)
        self.attributes.markEmpty(secret)
        let now = Timestamp(secondsSinceEpoch: changed / ItemDates.second)
        var dated = attributes
        dated.setDates(now: now)
        for (key, date) in [
            (ItemDates.createdKey, dated.creationDate),
            (ItemDates.modifiedKey, dated.modificationDate),
        ] {
            if let date, date != now {
                self.attributes[key] = ByteString(String(date.secondsSinceEpoch))
            }
        }
    }

    private init(_ itemClass: ItemClass, _ attributes: ItemAttributes, changed: Int64) {
        // The last schema expresses every item.
        var written: [ByteString: ByteString] = [:]
        for schema in itemSchemas {
            if let identity = schema.identity(itemClass, attributes) {
                written = identity
                break
            }
        }
        ExtraAttributes.write(itemClass, attributes, in: &written)
        written[ItemDates.changedKey] = ByteString(String(changed))
        self.attributes = written
        let label = attributes.label ?? ""
        // The exact label is then one of the extra attributes.
        self.label = label.isPlain ? label : label.shown
    }

    /// Creates an item's properties after a change; attributes of other programs stay.
    ///
    /// - Parameters:
    ///   - secret: Its secret after that, nil if it is unchanged.
    ///   - isNew: Whether a new item replaces it, which keeps its id and its dates.
    init(
        changing item: StoredItem, to attributes: ItemAttributes, _ secret: SecretBox?,
        changed: Int64, isNew: Bool
    ) {
        self.init(item.reference.itemClass, attributes, changed: changed)
        if let secret {
            self.attributes.markEmpty(secret)
        } else {
            self.attributes[ItemDates.emptyKey] = item.remote.attributes[ItemDates.emptyKey]
        }
        let keys = itemSchemas.first { $0.decode(item.remote) != nil }?.keys ?? []
        for (key, value) in item.remote.attributes
        where !isNew && key != SchemaName.key && !keys.contains(key) && !ExtraAttributes.isOwn(key)
        {
            self.attributes[key] = value
        }
        // From git 2.41 on, git-credential-libsecret recognizes its own items by this name when it
        // stores again.
        if !isNew, item.remote.schema == SchemaName.git,
            self.attributes[SchemaName.key] == SchemaName.network
        {
            self.attributes[SchemaName.key] = SchemaName.git
        }
        let created = item.attributes.creationDate?.secondsSinceEpoch ?? 0
        if isNew || item.remote.created != created
            || item.remote.attributes[ItemDates.createdKey] != nil
        {
            self.attributes[ItemDates.createdKey] = ByteString(String(created))
        }
        self.attributes[ItemDates.idKey] = ByteString(item.reference.id.bytes).hexadecimal
        if !isNew, item.remote.keepsOldAttributes {
            ExtraAttributes.markGone(item.remote.attributes.keys, in: &self.attributes)
        }
    }
}

extension [ByteString: ByteString] {
    /// Marks a secret that is intentionally empty.
    fileprivate mutating func markEmpty(_ secret: SecretBox) {
        self[ItemDates.emptyKey] = secret.secret.count == 0 ? "1" : nil
    }
}

extension ByteString {
    /// The text without characters that are not plain, for display.
    fileprivate var shown: ByteString {
        let scalars = description.unicodeScalars.filter {
            $0.value >= 0x20 && $0.value != 0x7F && $0.value & 0xFFFE != 0xFFFE
        }
        return ByteString(String(String.UnicodeScalarView(scalars)))
    }
}
#endif
