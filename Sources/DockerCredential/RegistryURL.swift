internal import Keychain

/// The name under which docker keeps a login: a URL, or a host with or without port and path.
///
/// It is taken apart only where putting the parts together gives the same bytes again. Any other
/// text, such as one with a user in it or a port with a zero before it, stays whole.
struct RegistryURL: Equatable {
    /// The parts of a URL that can be taken apart.
    struct Parts: Equatable {
        /// As it is written, nil if there is none.
        var scheme: ByteString?
        /// As it is written; IPv6 addresses in their brackets.
        var host: ByteString
        /// Nil if none is written.
        var port: UInt16?
        /// All from the slash behind host and port on, nil if there is none.
        var path: ByteString?
    }

    /// The URL as it is written.
    let text: ByteString
    /// Nil for a text that stays whole.
    let parts: Parts?

    init(_ text: ByteString) {
        self.text = text
        parts = Parts(text.bytes.span)
    }
}

extension RegistryURL.Parts {
    fileprivate init?(_ text: Span<UInt8>) {
        var start = 0
        if let length = text.schemeLength {
            scheme = ByteString(copying: text.extracting(..<length))
            start = length + 3
        }
        let pathStart = text.firstIndex(of: Byte.slash, from: start) ?? text.count
        if pathStart < text.count {
            path = ByteString(copying: text.extracting(pathStart...))
        }
        var hostEnd = pathStart
        if let colon = text.lastIndex(of: Byte.colon, in: start..<pathStart),
            text[pathStart - 1] != Byte.closingBracket
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
    /// How long the scheme is that stands before a `://`, nil if there is none.
    fileprivate var schemeLength: Int? {
        guard let colon = firstIndex(of: Byte.colon), colon > 0, colon + 2 < count,
            self[colon + 1] == Byte.slash, self[colon + 2] == Byte.slash,
            Byte.isLetter(self[0])
        else {
            return nil
        }
        for index in 0..<colon
        where !Byte.isLetterOrDigit(self[index])
            && ![UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(self[index])
        {
            return nil
        }
        return colon
    }

    /// The number from 1 to 65535 that these digits are, without a zero before it.
    fileprivate var port: UInt16? {
        guard (1...5).contains(count), self[0] != UInt8(ascii: "0") else {
            return nil
        }
        var number = 0
        for index in indices {
            guard Byte.digits.contains(self[index]) else {
                return nil
            }
            number = number * 10 + Int(self[index] & 0x0F)
        }
        return UInt16(exactly: number)
    }

    /// Whether this is a name or an IPv4 address, as far as its characters tell.
    fileprivate var isHostName: Bool {
        for index in indices {
            switch self[index] {
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...: break
            case let byte where Byte.isLetterOrDigit(byte): break
            default: return false
            }
        }
        return !isEmpty
    }

    /// Whether this is an IPv6 address in brackets, as far as its characters tell.
    fileprivate var isBracketedAddress: Bool {
        guard count > 4, self[0] == Byte.openingBracket, self[count - 1] == Byte.closingBracket,
            lastIndex(of: Byte.colon, in: indices) != nil
        else {
            return false
        }
        for index in 1..<count - 1
        where !Byte.isHexadecimalDigit(self[index]) && self[index] != Byte.colon
            && self[index] != UInt8(ascii: ".")
        {
            return false
        }
        return true
    }
}
