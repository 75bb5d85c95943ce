internal import KeychainServices
internal import StrictJSON

extension JSONWriter {
    /// Writes an item's attributes as an object's members, those that are present.
    ///
    /// Part of the stable output: see lanyard(1), "JSON".
    mutating func members(
        of attributes: ItemAttributes, _ itemClass: ItemClass
    ) throws(KeychainError) {
        try member(
            "class", itemClass == .internetPassword ? "internet-password" : "generic-password")
        try member("name", attributes.name)
        try text("group", attributes.accessGroup)
        try text("account", attributes.account)
        try text("service", attributes.service)
        try text("protocol", attributes.protocol?.rawValue)
        try text("server", attributes.server)
        if let port = attributes.port, port != 0 {
            try member("port") { writer throws(KeychainError) in try writer.write(Int64(port)) }
        }
        try text("path", attributes.path)
        try text("securityDomain", attributes.securityDomain)
        try text("authenticationType", attributes.authenticationType?.rawValue.text)
        try text("label", attributes.label)
        try text("description", attributes.itemDescription)
        try text("comment", attributes.comment)
        try text("creator", attributes.creator?.text)
        try text("type", attributes.type?.text)
        if let generic = attributes.generic {
            try member("genericBase64", Base64.encode(generic.bytes.span))
        }
        try text("accessible", attributes.accessible.map { ByteString($0.code) })
        try flag("invisible", attributes.isInvisible)
        try flag("negative", attributes.isNegative)
        try flag("synchronizable", attributes.synchronizable)
        try text("created", attributes.creationDate.map { ByteString($0.text) })
        try text("changed", attributes.modificationDate.map { ByteString($0.text) })
    }

    private mutating func text(_ name: ByteString, _ value: ByteString?) throws(KeychainError) {
        if let value {
            try member(name, value)
        }
    }

    /// A flag that is not set is left out.
    private mutating func flag(_ name: ByteString, _ value: Bool?) throws(KeychainError) {
        if value == true {
            try member(name) { writer throws(KeychainError) in try writer.write(true) }
        }
    }
}
