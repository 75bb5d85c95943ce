internal import KeychainServices

/// The name that a user gives an item: a URL means an internet password, anything else a generic password's
/// service.
struct ItemName: Equatable {
    let itemClass: ItemClass
    /// The attributes of the name; a URL without port or path has 0 and an empty text.
    let attributes: ItemAttributes
    /// The attributes of an item of the other class that a list shows under this name: a server without a
    /// scheme, or a service that looks like a URL; nil if none can.
    let otherAttributes: ItemAttributes?

    /// The class of such an item.
    var otherClass: ItemClass {
        itemClass == .genericPassword ? .internetPassword : .genericPassword
    }

    /// Parses a name.
    ///
    /// - Parameters:
    ///   - text: `scheme://[user@]host[:port][/path]`, whose user, host and path may contain
    ///     percent-encoded bytes, or any other text that is not empty. Slashes around a path are ignored,
    ///     as in git.
    ///   - account: The account next to the name, nil for none.
    /// - Throws: ``Status/param`` for an empty name, a URL without a host and a path, a password in a URL,
    ///   an invalid port, or an account in the URL that differs from the one next to it.
    init(_ text: String, account: String?) throws(KeychainError) {
        guard !text.isEmpty else {
            throw KeychainError(.param, "the item has no name")
        }
        var service = ItemAttributes()
        service.account = account.map { ByteString($0) }
        service.service = ByteString(text)
        // Compared as bytes: a String merges an accent with the character before it.
        let bytes = Array(text.utf8)
        guard let scheme = ItemName.scheme(of: bytes) else {
            itemClass = .genericPassword
            attributes = service
            let server = try? ItemName.server(bytes[...], scheme: nil, account: account)
            otherAttributes = server?.server == "" ? nil : server
            return
        }
        itemClass = .internetPassword
        attributes = try ItemName.server(
            bytes[(scheme.endIndex + 3)...], scheme: ByteString(Array(scheme)), account: account)
        otherAttributes = service
    }

    /// The same name with any account.
    var ofAnyAccount: ItemName {
        var attributes = attributes
        attributes.account = nil
        var others = otherAttributes
        others?.account = nil
        return ItemName(itemClass: itemClass, attributes: attributes, otherAttributes: others)
    }

    private init(
        itemClass: ItemClass, attributes: ItemAttributes, otherAttributes: ItemAttributes?
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.otherAttributes = otherAttributes
    }

    /// Parses the part after a scheme.
    private static func server(
        _ text: ArraySlice<UInt8>, scheme: ByteString?, account: String?
    ) throws(KeychainError) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.account = account.map { ByteString($0) }
        attributes.protocol = scheme.map { ProtocolType(scheme: $0.lowercasedASCII) }
        let authority = text.prefix { !"/?#".utf8.contains($0) }
        attributes.path = try ItemName.decoded(text[authority.endIndex...]).trimmingSlashes
        try ItemName.takeApart(authority, into: &attributes)
        guard attributes.server != "" || attributes.path != "" else {
            throw KeychainError(.param, "the URL has no host")
        }
        return attributes
    }

    private static func takeApart(
        _ authority: ArraySlice<UInt8>, into attributes: inout ItemAttributes
    ) throws(KeychainError) {
        var host = authority
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            let user = authority[..<at]
            guard !user.contains(UInt8(ascii: ":")) else {
                throw KeychainError(
                    .param, "other users can read a password in a URL",
                    hint: "leave the password out: lanyard asks for it, or use --stdin")
            }
            let account = try decoded(user)
            guard attributes.account == nil || attributes.account == account else {
                throw KeychainError(
                    .param, "the URL names another account",
                    hint: "name the account only once")
            }
            attributes.account = account
            host = authority[(at + 1)...]
        }
        attributes.port = 0
        if let colon = host.lastIndex(of: UInt8(ascii: ":")),
            !host[colon...].contains(UInt8(ascii: "]"))
        {
            attributes.port = try port(host[(colon + 1)...])
            host = host[..<colon]
        }
        let isBracketed = host.first == UInt8(ascii: "[") && host.last == UInt8(ascii: "]")
        guard isBracketed || !host.contains(UInt8(ascii: ":")) else {
            throw KeychainError(
                .param, "an address with colons needs brackets in a URL",
                hint: "for example https://[::1]:8443/")
        }
        attributes.server = try decoded(host).lowercasedASCII
    }

    private static func port(_ digits: ArraySlice<UInt8>) throws(KeychainError) -> UInt16 {
        let text = String(decoding: digits, as: UTF8.self)
        guard let port = UInt16(text), port > 0, String(port) == text else {
            throw KeychainError(.param, "the port in the URL is not a number from 1 to 65535")
        }
        return port
    }

    /// Returns the text before `://`, if it can be a scheme: RFC 3986, section 3.1.
    private static func scheme(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
        guard bytes[scheme.endIndex...].starts(with: Array("://".utf8)) else {
            return nil
        }
        return scheme.span.isScheme ? scheme : nil
    }

    private static func decoded(_ text: ArraySlice<UInt8>) throws(KeychainError) -> ByteString {
        guard let bytes = text.span.percentDecoded else {
            throw KeychainError(
                .param, "a percent sign in the URL needs two digits after it",
                hint: "write %25 for the sign itself")
        }
        return ByteString(bytes)
    }
}

extension ByteString {
    /// Without the slashes at both ends.
    var trimmingSlashes: ByteString {
        let slash = UInt8(ascii: "/")
        guard let first = bytes.firstIndex(where: { $0 != slash }),
            let last = bytes.lastIndex(where: { $0 != slash })
        else {
            return ""
        }
        return ByteString(Array(bytes[first...last]))
    }
}
