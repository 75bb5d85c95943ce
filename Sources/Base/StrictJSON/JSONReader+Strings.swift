public import LanyardSecrets

extension JSONReader {
    /// Reads a string that may be confidential, without leaving a copy outside the text.
    ///
    /// - Throws: ``Status/decode`` if the next value is not a valid string.
    public mutating func readSecret() throws(KeychainError) -> Secret {
        let string = try scanString()
        var secret = SecretBuilder(capacity: string.count)
        _ = try decodeString(from: string.start) { secret.append($0) }
        return secret.finish()
    }

    /// Reads a string that is not confidential.
    ///
    /// - Throws: ``Status/decode`` if the next value is not a valid string.
    public mutating func readText() throws(KeychainError) -> ByteString {
        let string = try scanString()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(string.count)
        _ = try decodeString(from: string.start) { bytes.append($0) }
        return ByteString(bytes)
    }

    /// Checks and skips a string.
    ///
    /// - Returns: The start of its contents, and their decoded length in bytes.
    mutating func scanString() throws(KeychainError) -> (start: Int, count: Int) {
        guard try kind == .string else {
            throw unexpected("expected a string")
        }
        let start = position + 1
        var count = 0
        position = try decodeString(from: start) { _ in count += 1 }
        return (start, count)
    }

    /// Passes the bytes of a string to a closure one by one, with escapes decoded.
    ///
    /// - Parameter start: The start of the string's contents, after the quotation mark.
    /// - Returns: The position after the closing quotation mark.
    private func decodeString(
        from start: Int, _ emit: (UInt8) -> Void
    ) throws(KeychainError) -> Int {
        // Safe: the text is valid as long as the reader.
        let bytes = unsafe Span(_unsafeElements: text)
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                return index + 1
            case UInt8(ascii: "\\"):
                guard let escape = Escape(in: bytes, at: index) else {
                    throw KeychainError.invalidJSON(
                        "invalid escape, or half of a surrogate pair", at: index)
                }
                escape.utf8.forEach(emit)
                index += escape.length
            case 0x00..<0x20:
                throw KeychainError.invalidJSON("control characters must be escaped", at: index)
            default:
                guard let length = bytes.lengthOfScalar(at: index) else {
                    throw KeychainError.invalidJSON("not UTF-8", at: index)
                }
                for offset in 0..<length {
                    emit(bytes[index + offset])
                }
                index += length
            }
        }
        throw KeychainError.invalidJSON("unterminated string", at: bytes.count)
    }
}
