#if SecretService
internal import KeychainServices

/// One way in which items of the model are written as items of the Secret Service.
protocol ItemSchema: SendableMetatype {
    /// What to search for, so that every item of this schema that a query means is found; items
    /// that it does not mean may be found too. Nothing if it can mean none.
    static func narrowings(_ query: Query) -> [Narrowing]

    /// The attributes of an item whose identity the schema can express, nil if it can't.
    static func identity(
        _ itemClass: ItemClass, _ attributes: ItemAttributes
    ) -> [ByteString: ByteString]?

    /// The identity of an item of this schema, nil if it is of another.
    static func decode(_ item: RemoteItem) -> (ItemClass, ItemAttributes)?

    /// Which attributes ``identity(_:_:)`` writes, whatever the item.
    static var keys: Set<ByteString> { get }
}

/// What the Secret Service is to search for.
enum Narrowing: Equatable {
    /// Items that have at least these attributes.
    case attributes([ByteString: ByteString])
    /// All items.
    case everything
}

/// All schemas, those of other programs first: what they can express is theirs.
let itemSchemas: [any ItemSchema.Type] = [
    GitPasswordSchema.self, DockerCredentialsSchema.self, GenericSchema.self, LanyardSchema.self,
]

extension Query {
    /// Whether items of an access group can be meant, as far as class, group and what no other
    /// program's schema expresses tell.
    func canMeanNative(_ itemClass: ItemClass, group: ByteString) -> Bool {
        guard self.itemClass == itemClass, synchronizable != .synchronizable,
            attributes.securityDomain?.isEmpty ?? true,
            attributes.authenticationType?.rawValue.rawValue ?? 0 == 0
        else {
            return false
        }
        guard let wanted = attributes.accessGroup else {
            return true
        }
        return ignoresCase ? wanted.isEqualIgnoringCase(group) : wanted == group
    }

    var ignoresCase: Bool { match.caseInsensitive == true }
}

extension ItemAttributes {
    /// Whether no part of the identity is set that no other program's schema expresses.
    func isNative(group: ByteString) -> Bool {
        accessGroup == group && synchronizable != true && securityDomain?.isEmpty ?? true
            && authenticationType?.rawValue.rawValue ?? 0 == 0
    }
}

extension ByteString {
    /// Whether every Secret Service keeps the text as it is: UTF-8 without control characters
    /// (KeePassXC writes XML).
    var isPlain: Bool {
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            let text = String(validating: bytes, as: UTF8.self)
        else {
            return false
        }
        return !text.unicodeScalars.contains { $0.value & 0xFFFE == 0xFFFE }
    }

    /// Whether every Secret Service finds items by a text of this length (KeePassXC does not find
    /// those of 64 KiB).
    var isSearchable: Bool { bytes.count <= 1_024 }

    /// Whether the text can be sent at all: UTF-8 without NUL.
    var isSendable: Bool {
        !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }
}

extension [ByteString: ByteString] {
    /// Narrows a search to a value, where it is one that narrows: an empty text is found where
    /// there is none, too.
    ///
    /// - Returns: Whether anything can be found then.
    mutating func narrow(_ key: ByteString, _ value: ByteString?) -> Bool {
        guard let value, !value.isEmpty else {
            return true
        }
        if value.isSearchable {
            self[key] = value
        }
        return value.isSendable
    }
}
#endif
