internal import Keychain

/// What a person calls an item: a URL is an internet password, anything else a generic password's
/// service.
struct ItemName: Equatable {
    let itemClass: ItemClass
    /// The attributes that the name has; for a URL, port and path are 0 and empty where it has none.
    let attributes: ItemAttributes

    /// Takes a name apart.
    ///
    /// - Parameters:
    ///   - text: `scheme://[user@]host[:port][/path]`, where user, host and path may hold
    ///     percent-encoded bytes, or any other text that is not empty.
    ///   - account: The account that stands beside the name, nil if none does.
    /// - Throws: ``Status/param`` for an empty name, a password in a URL, an impossible port, or an
    ///   account both in the URL and beside it that differ.
    init(_ text: String, account: String?) throws(KeychainError) {
        guard !text.isEmpty else {
            throw KeychainError(.param, "the item has no name")
        }
        var attributes = ItemAttributes()
        attributes.account = account.map { ByteString($0) }
        guard let separator = ItemName.separator(in: text) else {
            attributes.service = ByteString(text)
            itemClass = .genericPassword
            self.attributes = attributes
            return
        }
        itemClass = .internetPassword
        attributes.protocol = ProtocolType(
            scheme: ByteString(String(text[..<separator.lowerBound])).lowercasedASCII)
        let rest = text[separator.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(authority.count)
        // As git stores it: without the slash that sets it off.
        attributes.path = try ItemName.decoded(path.dropFirst())
        try ItemName.takeApart(authority, into: &attributes)
        self.attributes = attributes
    }

    private static func takeApart(
        _ authority: Substring, into attributes: inout ItemAttributes
    ) throws(KeychainError) {
        var host = authority
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at]
            guard !user.contains(":") else {
                throw KeychainError(
                    .param, "a URL with a password in it can be read by others",
                    hint: "leave the password out: it is asked for, or read with --stdin")
            }
            let account = try decoded(user)
            guard attributes.account == nil || attributes.account == account else {
                throw KeychainError(.param, "the account stands in the URL and beside it")
            }
            attributes.account = account
            host = authority[authority.index(after: at)...]
        }
        attributes.port = 0
        if let colon = host.lastIndex(of: ":"), host[colon...].firstIndex(of: "]") == nil {
            let digits = host[host.index(after: colon)...]
            guard let port = UInt16(digits), port > 0, String(port) == digits else {
                throw KeychainError(.param, "the port in the URL is not a number from 1 to 65535")
            }
            attributes.port = port
            host = host[..<colon]
        }
        attributes.server = try decoded(host).lowercasedASCII
    }

    /// Where `://` stands behind a scheme.
    private static func separator(in text: String) -> Range<String.Index>? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            return nil
        }
        let scheme = text[..<colon]
        let isScheme =
            scheme.first?.isLetter == true
            && scheme.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
            }
        return isScheme ? colon..<text.index(colon, offsetBy: 3) : nil
    }

    private static func decoded(_ text: Substring) throws(KeychainError) -> ByteString {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16)
            else {
                throw KeychainError(.param, "a percent sign in the URL needs two digits behind it")
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return ByteString(bytes)
    }
}
