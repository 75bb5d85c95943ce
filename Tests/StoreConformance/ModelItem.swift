import KeychainServices

/// An item as the model sees it. What makes it unique and what matches it is written here a second
/// time, apart from the code under test.
struct ModelItem {
    struct Key: Hashable {
        var itemClass: ItemClass
        var isSynchronizable: Bool
        var texts: [ByteString]
        var port: UInt16
    }

    let itemClass: ItemClass
    var attributes: ItemAttributes
    var secret: [UInt8]
    /// The number of the step that added or changed it last.
    var changed: Int

    var key: Key {
        let isGeneric = itemClass == .genericPassword
        return Key(
            itemClass: itemClass, isSynchronizable: attributes.synchronizable ?? false,
            texts: [
                attributes.accessGroup ?? "", attributes.account ?? "",
                (isGeneric ? attributes.service : attributes.server) ?? "",
                isGeneric ? "" : attributes.path ?? "",
                isGeneric ? "" : attributes.protocolText ?? "",
            ],
            port: attributes.port ?? 0)
    }

    func isMeant(by query: Query) -> Bool {
        func fits<Value: Equatable>(_ wanted: Value?, _ found: Value) -> Bool {
            wanted == nil || wanted == found
        }
        let wanted = query.attributes
        let isSynchronizable = attributes.synchronizable ?? false
        let synchronizableFits =
            switch query.synchronizable {
            case .any: true
            case .synchronizable: isSynchronizable
            case .notSynchronizable: !isSynchronizable
            }
        return query.itemClass == itemClass && synchronizableFits
            && fits(wanted.accessGroup, attributes.accessGroup ?? "")
            && fits(wanted.account, attributes.account ?? "")
            && fits(wanted.service, attributes.service ?? "")
            && fits(wanted.server, attributes.server ?? "")
            && fits(wanted.path, attributes.path ?? "")
            && fits(wanted.protocolText, attributes.protocolText ?? "")
            && fits(wanted.port, attributes.port ?? 0)
            && (wanted.label == nil || wanted.label == attributes.label)
    }

    func isSame(as item: Item) -> Bool {
        let found = ModelItem(
            itemClass: item.reference.itemClass, attributes: item.attributes, secret: item.secret,
            changed: changed)
        return found.key == key && item.secret == secret
            && item.attributes.label == attributes.label
    }

    mutating func change(_ changes: ItemAttributes, _ secret: [UInt8]?, step: Int) {
        attributes.accessGroup = changes.accessGroup ?? attributes.accessGroup
        attributes.account = changes.account ?? attributes.account
        attributes.service = changes.service ?? attributes.service
        attributes.server = changes.server ?? attributes.server
        attributes.path = changes.path ?? attributes.path
        attributes.protocol = changes.protocol ?? attributes.protocol
        attributes.port = changes.port ?? attributes.port
        attributes.label = changes.label ?? attributes.label
        attributes.synchronizable = changes.synchronizable ?? attributes.synchronizable
        self.secret = secret ?? self.secret
        changed = step
    }
}
