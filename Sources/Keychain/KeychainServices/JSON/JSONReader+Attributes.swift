package import StrictJSON

extension JSONReader {
    /// Reads attributes and ignores unknown members.
    ///
    /// - Throws: ``Status/decode`` for a value that the attribute can't have.
    package mutating func readAttributes() throws(KeychainError) -> ItemAttributes {
        var attributes = ItemAttributes()
        try readObject { name, reader throws(KeychainError) in
            guard let attribute = Attribute(named: name) else {
                return
            }
            if attribute.canBeData {
                let (text, isData) = try reader.readTypedBytes()
                attributes[attribute] = .text(text)
                if isData {
                    attributes.markAsData(attribute)
                }
            } else {
                attributes[attribute] = try reader.readValue(attribute.row.form)
            }
        }
        return attributes
    }

    private mutating func readValue(
        _ form: Attribute.Form
    ) throws(KeychainError) -> AttributeValue {
        switch form {
        case .text, .server, .data, .protocolType: .text(try readBytes())
        case .code: .code(try readCode())
        case .flag: .flag(try readBool())
        case .number: .number(try readNumber())
        case .port: .number(UInt32(try readNumber(UInt16.self)))
        case .date: .date(Timestamp(secondsSinceEpoch: try readInteger()))
        case .accessibility: .accessibility(try readAccessible())
        case .accessControl: .accessControl(try readAccessControl())
        }
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
