extension ServerURL {
    /// Splits a text into its parts, nil if it stays whole.
    package init?(_ text: ByteString) {
        self.init(text.bytes.span)
    }

    private init?(_ text: Span<UInt8>) {
        var start = 0
        if let length = text.schemeLength {
            scheme = ByteString(copying: text.extracting(..<length))
            start = length + 3
        }
        let pathStart = text.firstIndex(of: UInt8(ascii: "/"), from: start) ?? text.count
        if pathStart < text.count {
            path = ByteString(copying: text.extracting(pathStart...))
        }
        var hostEnd = pathStart
        if let colon = text.lastIndex(of: UInt8(ascii: ":"), in: start..<pathStart),
            text[pathStart - 1] != UInt8(ascii: "]")
        {
            guard let port = text.extracting(colon + 1..<pathStart).port else {
                return nil
            }
            self.port = port
            hostEnd = colon
        }
        let host = text.extracting(start..<hostEnd)
        guard host.isHostName || host.isBracketedAddress else {
            return nil
        }
        self.host = ByteString(copying: host)
    }
}

extension Span where Element == UInt8 {
    fileprivate func lastIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var index = range.upperBound
        while index > range.lowerBound {
            index -= 1
            if self[index] == byte {
                return index
            }
        }
        return nil
    }

    /// The length of the scheme before a `://`, nil if there is none.
    fileprivate var schemeLength: Int? {
        guard let colon = firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 2 < count,
            self[colon + 1] == UInt8(ascii: "/"), self[colon + 2] == UInt8(ascii: "/"),
            self[0].isLetter
        else {
            return nil
        }
        for index in 0..<colon
        where !self[index].isLetterOrDigit
            && ![UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(self[index])
        {
            return nil
        }
        return colon
    }

    /// The number from 1 to 65535 with these digits, without a leading zero.
    fileprivate var port: UInt16? {
        guard !isEmpty, self[0] != UInt8(ascii: "0") else {
            return nil
        }
        return decimalNumber.flatMap { UInt16(exactly: $0) }
    }

    /// Whether this is a host name or an IPv4 address, judging by its characters.
    fileprivate var isHostName: Bool {
        for index in indices {
            switch self[index] {
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...: break
            case let byte where byte.isLetterOrDigit: break
            default: return false
            }
        }
        return !isEmpty
    }

    /// Whether this is an IPv6 address in brackets, judging by its characters.
    fileprivate var isBracketedAddress: Bool {
        guard count > 4, self[0] == UInt8(ascii: "["), self[count - 1] == UInt8(ascii: "]"),
            lastIndex(of: UInt8(ascii: ":"), in: indices) != nil
        else {
            return false
        }
        for index in 1..<count - 1
        where !self[index].isHexadecimalDigit && self[index] != UInt8(ascii: ":")
            && self[index] != UInt8(ascii: ".")
        {
            return false
        }
        return true
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool { (0x61...0x66).contains(self | 0x20) || isDigit }
}
