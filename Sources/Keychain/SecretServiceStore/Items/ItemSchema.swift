package import KeychainServices

/// A way of writing items of the model as items of the Secret Service.
package protocol ItemSchema: SendableMetatype {
    /// Returns searches that together find every match of this schema, perhaps with other items.
    /// Empty if nothing can match.
    static func narrowings(_ query: Query) -> [Narrowing]

    /// Returns the attributes of an item, nil if the schema can't express its identity.
    static func identity(
        _ itemClass: ItemClass, _ attributes: ItemAttributes
    ) -> [ByteString: ByteString]?

    /// Returns the identity of an item, nil if it has another schema.
    static func decode(_ item: RemoteItem) -> (ItemClass, ItemAttributes)?

    /// All attributes that ``identity(_:_:)`` may write.
    static var keys: Set<ByteString> { get }
}

/// A search by the Secret Service.
package enum Narrowing: Equatable {
    /// Items that have at least these attributes.
    case attributes([ByteString: ByteString])
    /// All items.
    case everything
}

/// All schemas; those of other programs come first and get the items that they can express.
package let itemSchemas: [any ItemSchema.Type] = [
    GitPasswordSchema.self, DockerCredentialsSchema.self, GenericSchema.self, LanyardSchema.self,
]

extension Query {
    /// Returns whether items of an access group can match, judging by class, group and attributes
    /// that no other program's schema expresses.
    package func canMeanNative(_ itemClass: ItemClass, group: ByteString) -> Bool {
        guard self.itemClass == itemClass, synchronizable != .synchronizable,
            attributes.securityDomain?.isEmpty ?? true,
            attributes.authenticationType?.rawValue.rawValue ?? 0 == 0
        else {
            return false
        }
        guard let wanted = attributes.accessGroup else {
            return true
        }
        return match.caseInsensitive == true ? wanted.isEqualIgnoringCase(group) : wanted == group
    }
}

extension ItemAttributes {
    /// Returns whether no part of the identity is set that only Lanyard's schema expresses.
    package func isNative(group: ByteString) -> Bool {
        accessGroup == group && synchronizable != true && securityDomain?.isEmpty ?? true
            && authenticationType?.rawValue.rawValue ?? 0 == 0
    }
}

extension ByteString {
    /// Whether every Secret Service preserves the text: UTF-8 without control characters (KeePassXC
    /// writes XML).
    package var isPlain: Bool {
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            let text = String(validating: bytes, as: UTF8.self)
        else {
            return false
        }
        return !text.unicodeScalars.contains { $0.value & 0xFFFE == 0xFFFE }
    }

    /// Whether every Secret Service finds items by a text of this length (KeePassXC fails at 64
    /// KiB).
    package var isSearchable: Bool { bytes.count <= 1_024 }

    /// Whether the text can be sent at all: UTF-8 without NUL.
    package var isSendable: Bool {
        !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }
}

extension [ByteString: ByteString] {
    /// Narrows a search to a value that is not empty, because an empty one also matches a missing
    /// one.
    ///
    /// - Returns: Whether the search can find anything.
    package mutating func narrow(_ key: ByteString, _ value: ByteString?) -> Bool {
        guard let value, !value.isEmpty else {
            return true
        }
        if value.isSearchable {
            self[key] = value
        }
        return value.isSendable
    }
}
