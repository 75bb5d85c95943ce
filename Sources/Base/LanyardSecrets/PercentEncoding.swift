/// Bytes of a URL as a percent sign and two digits: RFC 3986, section 2.1.
extension Span where Element == UInt8 {
    /// Returns the byte of the percent code at an index, nil if there is none.
    fileprivate func percentCode(at index: Int) -> UInt8? {
        guard index + 2 < count, self[index] == UInt8(ascii: "%"),
            let high = Hexadecimal.value(of: self[index + 1]),
            let low = Hexadecimal.value(of: self[index + 2])
        else {
            return nil
        }
        return high << 4 | low
    }

    /// The bytes with percent codes decoded, nil if a percent sign starts none. Not for secrets.
    package var percentDecoded: [UInt8]? {
        var decoded = SecretBuilder(capacity: count)
        guard decoded.append(percentDecoding: self) else {
            return nil
        }
        return decoded.finish().withBytes { ByteString(copying: $0).bytes }
    }
}

extension SecretBuilder {
    /// Appends a text with its percent codes decoded; anything else remains unchanged.
    ///
    /// - Returns: Whether every percent sign starts a code.
    @discardableResult
    package mutating func append(
        percentDecoding text: Span<UInt8>, decodesNUL: Bool = true
    ) -> Bool {
        var isWhole = true
        var index = 0
        while index < text.count {
            if let byte = text.percentCode(at: index), decodesNUL || byte != 0 {
                append(byte)
                index += 3
            } else {
                isWhole = isWhole && text[index] != UInt8(ascii: "%")
                append(text[index])
                index += 1
            }
        }
        return isWhole
    }

    /// Appends a text with everything but letters, digits and `-._~` as percent codes: RFC 3986, section 2.3.
    ///
    /// - Parameter digits: The hexadecimal digits.
    package mutating func append(
        percentEncoding text: Span<UInt8>, digits: StaticString = "0123456789ABCDEF"
    ) {
        for index in text.indices {
            let byte = text[index]
            if byte.isLetterOrDigit || "-._~".utf8.contains(byte) {
                append(byte)
            } else {
                append(UInt8(ascii: "%"))
                append(digits.byte(at: Int(byte >> 4)))
                append(digits.byte(at: Int(byte & 15)))
            }
        }
    }
}

extension ByteString {
    /// Returns the bytes with percent signs, spaces and control characters encoded. Without valid UTF-8,
    /// all bytes outside of ASCII are encoded, too: RFC 3986, section 2.1.
    package func percentEncoded(besides others: String) -> ByteString {
        let isText = bytes.span.isUTF8
        let digits = Array("0123456789ABCDEF".utf8)
        let others = Array(others.utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for byte in bytes {
            let isPlain =
                (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%")
                && !others.contains(byte)
            if isPlain || byte >= 0x80 && isText {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return ByteString(encoded)
    }

    /// The bytes as the user of an address.
    package var percentEncodedUser: ByteString { percentEncoded(besides: "/?#@:") }
}
