package import StrictJSON

extension JSONWriter {
    /// Writes the attributes that are present as an object.
    package mutating func member(
        _ name: ByteString, _ attributes: ItemAttributes
    ) throws(KeychainError) {
        try member(object: name) { writer throws(KeychainError) in
            for entry in attributes.entries {
                let name = ByteString(entry.attribute.row.name.bytes)
                if entry.isData, let text = entry.value.text {
                    try writer.member(data: name, text)
                } else {
                    try writer.member(name, entry.value)
                }
            }
        }
    }

    /// Writes a text that was given as data.
    private mutating func member(
        data name: ByteString, _ text: ByteString
    ) throws(KeychainError) {
        try member(object: name) { writer throws(KeychainError) in
            try writer.member("base64", Base64.encode(text.bytes.span))
            try writer.member("data", true)
        }
    }

    private mutating func member(
        _ name: ByteString, _ value: AttributeValue
    ) throws(KeychainError) {
        switch value {
        case .text(let text): try member(bytes: name, text)
        case .code(let code): try member(bytes: name, code.text)
        case .flag(let flag): try member(name, flag)
        case .number(let number): try member(name, Int64(number))
        case .date(let date): try member(name, date.secondsSinceEpoch)
        case .accessibility(let accessible): try member(name, ByteString(accessible.code))
        case .accessControl(let control):
            try member(object: name) { writer throws(KeychainError) in
                try writer.member("accessible", ByteString(control.accessible.code))
                try writer.member("flags", Int64(control.flags.rawValue))
            }
        }
    }
}
