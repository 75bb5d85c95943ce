internal import KeychainServices
internal import StrictJSON

/// An item in transit between the two sides.
final class PluginItem {
    let id: ItemID
    let attributes: ItemAttributes
    private var secret: Secret?

    init(_ id: ItemID, _ attributes: ItemAttributes, secret: consuming Secret?) {
        self.id = id
        self.attributes = attributes
        self.secret = secret
    }

    /// Takes the secret out, if there is one.
    func takeSecret() -> Secret? {
        secret.take()
    }

    var hasSecret: Bool { secretSize != nil }

    private var secretSize: Int? {
        switch secret {
        case .some(let secret): secret.count
        case .none: nil
        }
    }

    /// The approximate size in bytes.
    var size: Int { (secretSize ?? 0) + attributes.textSizes.total }

    func write(to writer: inout JSONWriter) throws(KeychainError) {
        try writer.writeObject { writer throws(KeychainError) in
            try writer.member("reference", id.text)
            try writer.member("attributes", attributes)
            switch secret {
            case .some(let secret): try writer.member(base64: "secret", secret)
            case .none: break
            }
        }
    }

    init(from reader: inout JSONReader) throws(KeychainError) {
        var id: ItemID?
        var attributes: ItemAttributes?
        var secret: Secret?
        try reader.readObject { name, reader throws(KeychainError) in
            switch name {
            case "reference": id = try reader.readItemID()
            case "attributes": attributes = try reader.readAttributes()
            case "secret": secret = try reader.readBase64()
            default: break
            }
        }
        self.id = try required(id, "reference")
        self.attributes = try required(attributes, "attributes")
        self.secret = secret
    }
}
