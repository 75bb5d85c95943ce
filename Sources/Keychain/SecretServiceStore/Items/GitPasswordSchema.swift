package import KeychainServices

/// The items of git-credential-libsecret: internet passwords in the access group `git`.
///
/// Up to git 2.40 it searches by libsecret's schema name for network passwords, from 2.41 on
/// without a name; logins under that name are found by both. Other programs use the name, too:
/// git's logins are recognized by their label, and Lanyard's by their attributes.
package enum GitPasswordSchema: ItemSchema {
    package static let group: ByteString = "git"
    package static let keys: Set<ByteString> = ["protocol", "server", "port", "user", "object"]
    private static let labelPrefix = Array("Git: ".utf8)

    /// Returns whether git writes such a label.
    private static func isLabel(_ label: ByteString) -> Bool {
        label.bytes.starts(with: labelPrefix)
    }

    package static func narrowings(_ query: Query) -> [Narrowing] {
        guard query.canMeanNative(.internetPassword, group: group) else {
            return []
        }
        var wanted: [ByteString: ByteString] = [:]
        if let type = query.attributes.protocol, !type.rawValue.isEmpty {
            guard let scheme = type.scheme, wanted.narrow("protocol", scheme) else {
                return []
            }
        }
        if let port = query.attributes.port, port != 0 {
            wanted["port"] = ByteString(String(port))
        }
        if query.match.comparesBytes {
            guard wanted.narrow("server", query.attributes.server),
                wanted.narrow("user", query.attributes.account),
                wanted.narrow("object", query.attributes.path)
            else {
                return []
            }
        }
        // A search by server finds few items; without one it would find those of all programs.
        guard wanted["server"] == nil else {
            return [.attributes(wanted)]
        }
        return [SchemaName.network, SchemaName.git].map { name in
            .attributes(wanted.merging([SchemaName.key: name]) { own, _ in own })
        }
    }

    package static func identity(
        _ itemClass: ItemClass, _ attributes: ItemAttributes
    ) -> [ByteString: ByteString]? {
        guard itemClass == .internetPassword, attributes.isNative(group: group),
            let scheme = attributes.protocol?.scheme, !scheme.isEmpty
        else {
            return nil
        }
        var written: [ByteString: ByteString] = [SchemaName.key: SchemaName.network]
        written["protocol"] = scheme
        written["server"] = attributes.server
        written["user"] = attributes.account
        written["object"] = attributes.path
        if let port = attributes.port, port != 0 {
            written["port"] = ByteString(String(port))
        }
        return written.values.allSatisfy(\.isPlain) ? written : nil
    }

    /// Returns whether ``narrowings(_:)`` finds every match, including those that only
    /// ``LanyardSchema`` expresses, because each search costs the service a millisecond.
    package static func findsAll(_ query: Query) -> Bool {
        let wanted = query.attributes
        let texts = [wanted.server, wanted.account, wanted.path]
        return query.canMeanNative(.internetPassword, group: group) && query.match.comparesBytes
            && wanted.accessGroup == group && wanted.protocol?.scheme?.isPlain == true
            && wanted.server?.isEmpty == false && wanted.server?.isSearchable == true
            && texts.allSatisfy { $0?.isPlain ?? true }
    }

    /// Returns the attributes that an item which this schema can't express shares with those that
    /// it can.
    package static func common(
        _ itemClass: ItemClass, _ attributes: ItemAttributes
    ) -> [ByteString: ByteString] {
        guard itemClass == .internetPassword, attributes.accessGroup == group else {
            return [:]
        }
        var written: [ByteString: ByteString] = [:]
        written["protocol"] = attributes.protocol?.scheme
        written["server"] = attributes.server
        written["user"] = attributes.account
        written["object"] = attributes.path
        if let port = attributes.port, port != 0 {
            written["port"] = ByteString(String(port))
        }
        return written.filter { $0.value.isPlain }
    }

    package static func decode(_ item: RemoteItem) -> (ItemClass, ItemAttributes)? {
        guard
            item.schema == SchemaName.git
                || item.schema == SchemaName.network
                    && (isLabel(item.label) || item.attributes[ItemDates.changedKey] != nil)
        else {
            return nil
        }
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        attributes.protocol = item.attributes["protocol"].map { ProtocolType(scheme: $0) }
        attributes.server = item.attributes["server"]
        attributes.account = item.attributes["user"]
        attributes.path = item.attributes["object"]
        if let text = item.attributes["port"] {
            guard let port = UInt16(text.description), String(port) == text.description else {
                return nil
            }
            attributes.port = port
        }
        return (.internetPassword, attributes)
    }
}
