package import KeychainServices
package import StrictJSON

extension JSONWriter {
    /// Writes attributes as an object, those that are present.
    package mutating func member(
        _ name: ByteString, _ attributes: ItemAttributes
    ) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in
            try writer.writeObject { writer throws(KeychainError) in
                try writer.members(ofEveryClass: attributes)
                try writer.members(ofPasswords: attributes)
            }
        }
    }

    private mutating func members(
        ofEveryClass attributes: ItemAttributes
    ) throws(KeychainError) {
        if let accessible = attributes.accessible {
            try member("accessible", ByteString(accessible.code))
        }
        if let accessControl = attributes.accessControl {
            try member("accessControl") { writer throws(KeychainError) in
                try writer.writeObject { writer throws(KeychainError) in
                    try writer.member("accessible", ByteString(accessControl.accessible.code))
                    try writer.member("flags", Int64(accessControl.flags.rawValue))
                }
            }
        }
        try text("accessGroup", attributes.accessGroup)
        try flag("synchronizable", attributes.synchronizable)
        try number("creationDate", attributes.creationDate?.secondsSinceEpoch)
        try number("modificationDate", attributes.modificationDate?.secondsSinceEpoch)
        try text("label", attributes.label)
    }

    private mutating func members(ofPasswords attributes: ItemAttributes) throws(KeychainError) {
        try text("account", attributes.account)
        try text("itemDescription", attributes.itemDescription)
        try text("comment", attributes.comment)
        try text("creator", attributes.creator?.text)
        try text("type", attributes.type?.text)
        try flag("isInvisible", attributes.isInvisible)
        try flag("isNegative", attributes.isNegative)
        try text("service", attributes.service)
        try text("generic", attributes.generic)
        try text("securityDomain", attributes.securityDomain)
        try text("server", attributes.server)
        try text("protocol", attributes.protocol?.rawValue)
        try text("authenticationType", attributes.authenticationType?.rawValue.text)
        try number("port", attributes.port.map { Int64($0) })
        try text("path", attributes.path)
    }

    private mutating func text(_ name: ByteString, _ value: ByteString?) throws(KeychainError) {
        if let value {
            try member(bytes: name, value)
        }
    }

    private mutating func flag(_ name: ByteString, _ value: Bool?) throws(KeychainError) {
        if let value {
            try member(name, value)
        }
    }

    private mutating func number(_ name: ByteString, _ value: Int64?) throws(KeychainError) {
        if let value {
            try member(name, value)
        }
    }
}
