extension ServerURL {
    /// Splits a text into its parts, nil if it stays whole.
    package init?(_ text: ByteString) {
        self.init(text.bytes.span, allowsUser: false)
    }

    /// Splits a text that may have a user, which is left out, into its parts.
    package init?(withoutUserOf text: ByteString) {
        self.init(text.bytes.span, allowsUser: true)
    }

    /// Returns a URL with a host for that of a socket, as vault takes it: `unix:///run/vault.sock`. Other texts stay.
    package static func naming(socket text: String) -> String {
        let start = "unix:///"
        return text.hasPrefix(start) ? "unix://localhost/\(text.dropFirst(start.count))" : text
    }

    private init?(_ text: Span<UInt8>, allowsUser: Bool) {
        let parts = URLParts(text)
        let host = text.extracting(parts.host)
        guard allowsUser || parts.user == nil, host.isHostName || host.isBracketedAddress,
            parts.rest.isEmpty || text[parts.rest.lowerBound] == UInt8(ascii: "/")
        else {
            return nil
        }
        if let digits = parts.port {
            guard let port = text.extracting(digits).port else {
                return nil
            }
            self.port = port
        }
        scheme = parts.scheme.map { ByteString(copying: text.extracting($0)) }
        self.host = ByteString(copying: host)
        path = parts.rest.isEmpty ? nil : ByteString(copying: text.extracting(parts.rest))
    }
}

extension Span where Element == UInt8 {
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
            contains(UInt8(ascii: ":"))
        else {
            return false
        }
        return (1..<count - 1).allSatisfy { index in
            Hexadecimal.value(of: self[index]) != nil || ":.".utf8.contains(self[index])
        }
    }
}
