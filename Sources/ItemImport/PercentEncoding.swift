internal import KeychainServices

/// Bytes of a URL as a percent sign and two digits: RFC 3986, section 2.1.
extension SecretBuilder {
    /// Appends a text with its percent codes decoded; anything else remains unchanged.
    mutating func append(percentDecoding text: Span<UInt8>, decodesNUL: Bool) {
        var index = 0
        while index < text.count {
            if text[index] == .percentSign, index + 2 < text.count,
                let high = Hexadecimal.value(of: text[index + 1]),
                let low = Hexadecimal.value(of: text[index + 2]),
                decodesNUL || high | low != 0
            {
                append(high << 4 | low)
                index += 3
            } else {
                append(text[index])
                index += 1
            }
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether it is a letter followed by letters, digits, `+`, `-` and `.`: RFC 3986, section 3.1.
    var isScheme: Bool {
        guard count > 0, self[0].isLetter else {
            return false
        }
        for index in indices
        where !self[index].isLetter && !self[index].isDigit
            && ![UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(self[index])
        {
            return false
        }
        return true
    }
}
