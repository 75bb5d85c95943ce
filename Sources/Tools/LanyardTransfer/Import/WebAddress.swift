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
    /// Whether a password was dropped.
    let dropsPassword: Bool

    /// Fails for a text that is not an address.
    init?(_ untrimmed: Span<UInt8>) {
        let text = untrimmed.extracting(untrimmed.withoutWhitespace)
        let parts = URLParts(text)
        guard parts.scheme != nil || text.firstIndex(of: "://") == nil else {
            return nil
        }
        let host = text.extracting(parts.host)
        guard host.count > 0, host[0] == UInt8(ascii: "[") || !host.contains(.colon) else {
            return nil
        }
        var port: UInt16 = 0
        if let digits = parts.port, !digits.isEmpty {
            guard let number = text.extracting(digits).decimalNumber, number <= UInt16.max else {
                return nil
            }
            port = UInt16(number)
        }
        self.port = port == 0 ? nil : port
        scheme = parts.scheme.map { ByteString(copying: text.extracting($0)).lowercasedASCII }
        self.host = host.withoutPercentCodes.lowercasedASCII
        user = parts.user.map { text.extracting($0).withoutPercentCodes }
        let pathEnd = parts.rest.first { "?#".utf8.contains(text[$0]) } ?? text.count
        path = text.extracting(parts.rest.lowerBound..<pathEnd).pathWithoutPercentCodes
        dropsPassword = parts.password.map { !$0.isEmpty } ?? false
        isWhole = pathEnd == text.count && parts.password == nil
        // A comma separates addresses.
        guard self.host.bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != .comma }),
            scheme != nil || isHostAlone
        else {
            return nil
        }
    }

    /// Whether it is certainly the same host that it would be in a URL.
    private var isHostAlone: Bool {
        user == nil
            && (host.looksLikeHost || host == "localhost" || host.bytes.first == UInt8(ascii: "["))
    }

    /// Adds the address to the attributes of an internet password.
    func set(_ attributes: inout ItemAttributes) {
        attributes.protocol = scheme.map { ProtocolType(scheme: $0) }
        attributes.server = host
        attributes.port = port
        attributes.path = path
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
}
