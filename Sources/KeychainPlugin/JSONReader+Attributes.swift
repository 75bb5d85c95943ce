package import KeychainServices
package import StrictJSON

extension JSONReader {
    /// Reads attributes. Members that are not known are passed over.
    ///
    /// - Throws: ``Status/decode`` for a value that the attribute can't have.
    package mutating func readAttributes() throws(KeychainError) -> ItemAttributes {
        var attributes = ItemAttributes()
        try readObject { name, reader throws(KeychainError) in
            // Short strings take no memory.
            let name = name.description
            if try reader.readText(name, into: &attributes) {
                return
            }
            switch name {
            case "accessible": attributes.accessible = try reader.readAccessible()
            case "accessControl": attributes.accessControl = try reader.readAccessControl()
            case "synchronizable": attributes.synchronizable = try reader.readBool()
            case "creationDate": attributes.creationDate = try reader.readTimestamp()
            case "modificationDate": attributes.modificationDate = try reader.readTimestamp()
            case "creator": attributes.creator = try reader.readCode()
            case "type": attributes.type = try reader.readCode()
            case "isInvisible": attributes.isInvisible = try reader.readBool()
            case "isNegative": attributes.isNegative = try reader.readBool()
            case "protocol":
                attributes.protocol = ProtocolType(rawValue: try reader.readBytes())
            case "authenticationType":
                attributes.authenticationType = AuthenticationType(rawValue: try reader.readCode())
            case "port": attributes.port = try reader.readNumber()
            default: break
            }
        }
        return attributes
    }

    /// - Returns: Whether it is one of the attributes that are texts and nothing else.
    private mutating func readText(
        _ name: String, into attributes: inout ItemAttributes
    ) throws(KeychainError) -> Bool {
        switch name {
        case "accessGroup": attributes.accessGroup = try readBytes()
        case "label": attributes.label = try readBytes()
        case "account": attributes.account = try readBytes()
        case "itemDescription": attributes.itemDescription = try readBytes()
        case "comment": attributes.comment = try readBytes()
        case "service": attributes.service = try readBytes()
        case "generic": attributes.generic = try readBytes()
        case "securityDomain": attributes.securityDomain = try readBytes()
        case "server": attributes.server = try readBytes()
        case "path": attributes.path = try readBytes()
        default: return false
        }
        return true
    }

    private mutating func readTimestamp() throws(KeychainError) -> Timestamp {
        Timestamp(secondsSinceEpoch: try readInteger())
    }

    private mutating func readAccessControl() throws(KeychainError) -> AccessControl {
        var accessible: Accessibility?
        var flags: UInt32?
        try readObject { name, reader throws(KeychainError) in
            switch name {
            case "accessible": accessible = try reader.readAccessible()
            case "flags": flags = try reader.readNumber()
            default: break
            }
        }
        return AccessControl(
            accessible: try required(accessible, "accessible"),
            flags: AccessControl.Flags(rawValue: try required(flags, "flags")))
    }
}
