internal import KeychainServices

/// A site's address in a password manager: a URL, or a host with or without port and path.
///
/// It drops passwords, queries and fragments, which often contain tokens: attributes are readable while the
/// keychain is locked.
struct WebAddress {
    /// In lower case, nil for none.
    let scheme: ByteString?
    /// In lower case, with codes decoded; IPv6 addresses keep their brackets.
    let host: ByteString
    let port: UInt16?
    /// With codes decoded, without the slashes around it; nil if nothing is left.
    let path: ByteString?
    /// The text before an `@`, nil for none.
    let user: ByteString?
    /// Whether nothing was dropped.
    let isWhole: Bool

    /// Fails for a text that is not an address.
    init?(_ untrimmed: Span<UInt8>) {
        let text = untrimmed.extracting(untrimmed.withoutWhitespace)
        let schemeEnd = text.firstIndex(of: "://")
        if let schemeEnd {
            guard text.extracting(..<schemeEnd).isScheme else {
                return nil
            }
            scheme = ByteString(copying: text.extracting(..<schemeEnd)).lowercasedASCII
        } else {
            scheme = nil
        }
        let start = schemeEnd.map { $0 + 3 } ?? 0
        var pathStart = start
        while pathStart < text.count, !text[pathStart].endsAuthority {
            pathStart += 1
        }
        var pathEnd = pathStart
        while pathEnd < text.count, text[pathEnd] == .slash || !text[pathEnd].endsAuthority {
            pathEnd += 1
        }
        guard let authority = Authority(text.extracting(start..<pathStart)),
            scheme != nil || authority.isHostAlone
        else {
            return nil
        }
        host = authority.host
        port = authority.port
        user = authority.user
        path = text.extracting(pathStart..<pathEnd).pathWithoutPercentCodes
        isWhole = pathEnd == text.count && !authority.hasPassword
    }

    /// Adds the address to the attributes of an internet password.
    func set(_ attributes: inout ItemAttributes) {
        attributes.protocol = scheme.map { ProtocolType(scheme: $0) }
        attributes.server = host
        attributes.port = port
        attributes.path = path
    }
}

/// The part between a scheme and a path: RFC 3986, section 3.2.
private struct Authority {
    var host: ByteString
    var port: UInt16?
    var user: ByteString?
    var hasPassword = false

    init?(_ text: Span<UInt8>) {
        var host = text
        if let at = text.lastIndex(of: .atSign) {
            host = text.extracting((at + 1)...)
            let colon = text.extracting(..<at).firstIndex(of: .colon)
            hasPassword = colon != nil
            user = text.extracting(..<(colon ?? at)).withoutPercentCodes
        }
        if let colon = host.lastIndex(of: .colon),
            !host.extracting(colon...).contains(UInt8(ascii: "]"))
        {
            guard let port = host.extracting((colon + 1)...).port else {
                return nil
            }
            self.port = port == 0 ? nil : port
            host = host.extracting(..<colon)
        }
        guard host.count > 0, host[0] == UInt8(ascii: "[") || !host.contains(.colon) else {
            return nil
        }
        self.host = host.withoutPercentCodes.lowercasedASCII
        guard self.host.bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            return nil
        }
    }

    /// Whether it is certainly the same host that it would be in a URL.
    var isHostAlone: Bool {
        user == nil
            && (host.looksLikeHost || host == "localhost" || host.bytes.first == UInt8(ascii: "["))
    }
}

extension ByteString {
    /// Whether it is an IPv4 address or a name of two labels or more, not just any text with a full stop.
    var looksLikeHost: Bool {
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count > 1, let last = labels.last, labels.allSatisfy({ $0.isLabel }) else {
            return false
        }
        return last.contains(where: \.isLetter) && last.count > 1
            || labels.count == 4 && labels.allSatisfy { $0.allSatisfy(\.isDigit) }
    }
}

extension ArraySlice<UInt8> {
    /// Whether it is a label of a host name, possibly not in ASCII.
    fileprivate var isLabel: Bool {
        !isEmpty && count < 64 && first != UInt8(ascii: "-") && last != UInt8(ascii: "-")
            && allSatisfy {
                $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    || $0 > 0x7F
            }
    }
}

extension Span where Element == UInt8 {
    fileprivate var withoutPercentCodes: ByteString {
        var bytes = SecretBuilder(capacity: count)
        bytes.append(percentDecoding: self)
        return bytes.finish().withBytes { ByteString(copying: $0) }
    }

    fileprivate var pathWithoutPercentCodes: ByteString? {
        var start = 0
        while start < count, self[start] == .slash {
            start += 1
        }
        var end = count
        while end > start, self[end - 1] == .slash {
            end -= 1
        }
        return end > start ? extracting(start..<end).withoutPercentCodes : nil
    }

    /// The number of these digits, 0 for none; nil beyond 65535 and for other bytes.
    fileprivate var port: UInt16? {
        isEmpty ? 0 : decimalNumber.flatMap { UInt16(exactly: $0) }
    }
}

extension UInt8 {
    fileprivate var endsAuthority: Bool {
        self == .slash || self == UInt8(ascii: "?") || self == .numberSign
    }
}
