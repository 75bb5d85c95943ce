package import KeychainServices

/// The items that `secret-tool store service S account A` makes: generic passwords in the access
/// group `login`.
///
/// An item with further attributes, or without a service, belongs to another program.
package enum GenericSchema: ItemSchema {
    package static let group: ByteString = "login"
    package static let keys: Set<ByteString> = ["service", "account"]

    package static func narrowings(_ query: Query) -> [Narrowing] {
        guard query.canMeanNative(.genericPassword, group: group),
            query.attributes.service != "" || !query.match.comparesBytes
        else {
            return []
        }
        var wanted: [ByteString: ByteString] = [:]
        if query.match.comparesBytes {
            guard wanted.narrow("service", query.attributes.service),
                wanted.narrow("account", query.attributes.account)
            else {
                return []
            }
        }
        // Such items may lack a schema's name.
        return [wanted.isEmpty ? .everything : .attributes(wanted)]
    }

    package static func identity(
        _ itemClass: ItemClass, _ attributes: ItemAttributes
    ) -> [ByteString: ByteString]? {
        guard itemClass == .genericPassword, attributes.isNative(group: group),
            let service = attributes.service, !service.isEmpty
        else {
            return nil
        }
        var written = [SchemaName.key: SchemaName.generic]
        written["service"] = service
        written["account"] = attributes.account
        return written.values.allSatisfy(\.isPlain) ? written : nil
    }

    package static func decode(_ item: RemoteItem) -> (ItemClass, ItemAttributes)? {
        guard item.schema ?? SchemaName.generic == SchemaName.generic,
            let service = item.attributes["service"], !service.isEmpty,
            item.attributes.keys.allSatisfy({
                keys.contains($0) || $0 == SchemaName.key || ExtraAttributes.isOwn($0)
            })
        else {
            return nil
        }
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        attributes.service = service
        attributes.account = item.attributes["account"]
        return (.genericPassword, attributes)
    }
}
