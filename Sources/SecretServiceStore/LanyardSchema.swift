#if SecretService
internal import KeychainServices

/// Every other item. No attribute has a name that another program's search could ask for, but for
/// those of git's logins, which git-credential-libsecret may find.
enum LanyardSchema: ItemSchema {
    static let keys = GitPasswordSchema.keys
    private static let classKey: ByteString = "lanyard:class"

    static func narrowings(_ query: Query) -> [Narrowing] {
        guard let itemClass = query.itemClass, !GitPasswordSchema.findsAll(query) else {
            return []
        }
        var wanted: [ByteString: ByteString] = [
            SchemaName.key: SchemaName.lanyard, classKey: itemClass.rawValue.text,
        ]
        var attributes = query.attributes
        if !query.ignoresCase {
            attributes.visitIdentityTexts { name, value in
                if let text = value, !text.isEmpty, text.isSearchable {
                    ExtraAttributes.write(text, name, in: &wanted)
                }
            }
        }
        ExtraAttributes.writeNumbers(of: attributes, in: &wanted)
        if query.synchronizable == .synchronizable {
            wanted["lanyard:synchronizable"] = "1"
        }
        return [.attributes(wanted)]
    }

    static func identity(
        _ itemClass: ItemClass, _ attributes: ItemAttributes
    ) -> [ByteString: ByteString]? {
        var written: [ByteString: ByteString] = [
            SchemaName.key: SchemaName.lanyard, classKey: itemClass.rawValue.text,
        ]
        written.merge(GitPasswordSchema.common(itemClass, attributes)) { own, _ in own }
        var attributes = attributes
        attributes.visitIdentityTexts { name, value in
            if let text = value {
                ExtraAttributes.write(text, name, in: &written)
            }
        }
        ExtraAttributes.writeNumbers(of: attributes, in: &written)
        if let synchronizable = attributes.synchronizable {
            written["lanyard:synchronizable"] = synchronizable ? "1" : "0"
        }
        return written
    }

    static func decode(_ item: RemoteItem) -> (ItemClass, ItemAttributes)? {
        guard item.schema == SchemaName.lanyard,
            let code = item.attributes[classKey].flatMap({ FourCharacterCode($0) })
        else {
            return nil
        }
        var attributes = ItemAttributes()
        attributes.visitIdentityTexts { name, value in
            value = ExtraAttributes.text(name, in: item.attributes)
        }
        attributes.authenticationType = ExtraAttributes.code(
            "authenticationType", in: item.attributes
        ).map { AuthenticationType(rawValue: $0) }
        attributes.port = item.attributes["lanyard:port"].flatMap { UInt16($0.description) }
        attributes.synchronizable = item.attributes["lanyard:synchronizable"].map { $0 == "1" }
        return (ItemClass(rawValue: code), attributes)
    }
}

extension ItemAttributes {
    /// Shows a closure every text of the identity.
    mutating func visitIdentityTexts(_ visit: (String, inout ByteString?) -> Void) {
        visit("accessGroup", &accessGroup)
        visit("account", &account)
        visit("service", &service)
        visit("securityDomain", &securityDomain)
        visit("server", &server)
        var protocolText = `protocol`?.rawValue
        visit("protocol", &protocolText)
        `protocol` = protocolText.map { ProtocolType(rawValue: $0) }
        visit("path", &path)
    }

    /// Shows a closure every other text but the label.
    mutating func visitFreeTexts(_ visit: (String, inout ByteString?) -> Void) {
        visit("description", &itemDescription)
        visit("comment", &comment)
        visit("generic", &generic)
    }
}
#endif
