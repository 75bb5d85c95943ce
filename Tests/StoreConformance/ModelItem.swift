import KeychainServices

/// An item as the model sees it. What makes it unique and what matches it is written here a second
/// time, apart from the code under test.
struct ModelItem {
    struct Key: Hashable {
        var itemClass: ItemClass
        var isSynchronizable: Bool
        var texts: [ByteString]
        var numbers: [UInt32]
    }

    let itemClass: ItemClass
    var attributes: ItemAttributes
    var secret: [UInt8]
    /// The number of the step that added or changed it last.
    var changed: Int

    var key: Key {
        var texts = [attributes.accessGroup]
        var numbers: [UInt32?] = []
        switch itemClass {
        case .genericPassword: texts += [attributes.account, attributes.service]
        case .internetPassword:
            texts += [
                attributes.account, attributes.server, attributes.path, attributes.protocolText,
            ]
            numbers = [attributes.port.map { UInt32($0) }]
        case .certificate: texts += [attributes.issuer, attributes.serialNumber]
        default:
            texts += [attributes.applicationLabel, attributes.applicationTag]
            numbers = [attributes.keyClass?.rawValue, attributes.keySizeInBits]
        }
        return Key(
            itemClass: itemClass, isSynchronizable: attributes.synchronizable ?? false,
            texts: texts.map { $0 ?? "" }, numbers: numbers.map { $0 ?? 0 })
    }

    /// Makes its data a certificate that says its attributes, and names it after its subject.
    mutating func becomeCertificate() {
        let values = [attributes.issuer, attributes.serialNumber, attributes.publicKeyHash]
            .map { $0?.description ?? "x" }
        attributes.issuer = ByteString(values[0])
        attributes.serialNumber = ByteString(values[1])
        attributes.publicKeyHash = ByteString(values[2])
        attributes.label = attributes.label ?? "subject"
        secret =
            ToyCertificates.certificate(
                "subject", issuer: values[0], serial: values[1], key: values[2]
            ).bytes
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
            && fits(wanted.issuer, attributes.issuer ?? "")
            && fits(wanted.serialNumber, attributes.serialNumber ?? "")
            && fits(wanted.publicKeyHash, attributes.publicKeyHash ?? "")
            && fits(wanted.applicationLabel, attributes.applicationLabel ?? "")
            && fits(wanted.applicationTag, attributes.applicationTag ?? "")
            && fits(wanted.keyClass, attributes.keyClass ?? .public)
            && fits(wanted.keySizeInBits, attributes.keySizeInBits ?? 0)
            && (wanted.label == nil || wanted.label == attributes.label)
    }

    func isPrivateKey(of certificate: ModelItem) -> Bool {
        itemClass == .key && attributes.keyClass == .private
            && attributes.applicationLabel == certificate.attributes.publicKeyHash
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
        attributes.applicationLabel = changes.applicationLabel ?? attributes.applicationLabel
        attributes.applicationTag = changes.applicationTag ?? attributes.applicationTag
        attributes.keyClass = changes.keyClass ?? attributes.keyClass
        attributes.keySizeInBits = changes.keySizeInBits ?? attributes.keySizeInBits
        attributes.label = changes.label ?? attributes.label
        attributes.synchronizable = changes.synchronizable ?? attributes.synchronizable
        self.secret = secret ?? self.secret
        changed = step
    }
}
