package import StrictJSON

extension JSONReader {
    /// Reads confidential bytes as Base64.
    ///
    /// - Throws: ``Status/decode``, also for more bytes than a secret may have.
    package mutating func readBase64() throws(KeychainError) -> Secret {
        let secret = try readBase64Secret()
        guard secret.count <= Keychain.secretLimit else {
            throw KeychainError(.decode, "a secret is longer than 2 MiB")
        }
        return secret
    }

    /// Reads a text, or an object with its bytes.
    package mutating func readBytes() throws(KeychainError) -> ByteString {
        try readTypedBytes().bytes
    }

    /// Reads a text, or an object with its bytes and whether they were given as data.
    package mutating func readTypedBytes() throws(KeychainError) -> (
        bytes: ByteString, isData: Bool
    ) {
        guard try kind == .object else {
            return (try readText(), false)
        }
        var bytes: ByteString?
        var isData = false
        try readObject { name, reader throws(KeychainError) in
            switch name {
            case "base64": bytes = try reader.readBase64().withBytes { ByteString(copying: $0) }
            case "data": isData = try reader.readBool()
            default: break
            }
        }
        return (try required(bytes, "base64"), isData)
    }

    /// Reads a number within the bounds of its type.
    package mutating func readNumber<Number: FixedWidthInteger>(
        _ type: Number.Type = Number.self
    ) throws(KeychainError) -> Number {
        guard let number = Number(exactly: try readInteger()) else {
            throw KeychainError(.decode, "a number is out of range")
        }
        return number
    }

    package mutating func readCode() throws(KeychainError) -> FourCharacterCode {
        guard let code = FourCharacterCode(try readBytes()) else {
            throw KeychainError(.decode, "a code does not have four bytes")
        }
        return code
    }

    package mutating func readAccessible() throws(KeychainError) -> Accessibility {
        guard let accessible = Accessibility(code: try readText().description) else {
            throw KeychainError(.decode, "unknown accessibility")
        }
        return accessible
    }

    package mutating func readItemID() throws(KeychainError) -> ItemID {
        guard let id = ItemID(text: try readText()) else {
            throw KeychainError(.decode, "a reference is not 32 hexadecimal digits")
        }
        return id
    }
}

/// Returns the value of a required member.
package func required<Value>(_ value: Value?, _ name: StaticString) throws(KeychainError) -> Value {
    guard let value else {
        throw KeychainError(.decode, "the member '\(name)' is missing")
    }
    return value
}
