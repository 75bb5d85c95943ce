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
        let parts = URLParts(bytes.span)
        guard parts.scheme != nil else {
            itemClass = .genericPassword
            attributes = service
            let server = try? ItemName.server(bytes, parts, account: account)
            otherAttributes = server?.server == "" ? nil : server
            return
        }
        itemClass = .internetPassword
        attributes = try ItemName.server(bytes, parts, account: account)
        otherAttributes = service
    }

    /// Throws if the name of a new item would be invisible.
    ///
    /// - Throws: ``Status/param``.
    static func checkVisible(_ text: String) throws(KeychainError) {
        guard !text.allSatisfy(\.isWhitespace) else {
            throw KeychainError(.param, "the name has only blanks")
        }
    }

    /// The name and the account of `NAME/ACCOUNT`, which a name without an account means if no item has it; nil for
    /// another form.
    var ofNameAndAccount: ItemName? {
        guard itemClass == .genericPassword, attributes.account == nil,
            let bytes = attributes.service?.bytes,
            let slash = bytes.firstIndex(of: UInt8(ascii: "/")),
            slash > 0, slash + 1 < bytes.count
        else {
            return nil
        }
        var attributes = attributes
        attributes.service = ByteString(Array(bytes[..<slash]))
        attributes.account = ByteString(Array(bytes[(slash + 1)...]))
        return ItemName(
            itemClass: .genericPassword, attributes: attributes, otherAttributes: nil)
    }

    /// The name of the item that `lanyard set --for` stores for a tool under this name; nil if that is the same, or if the
    /// tool takes no such name.
    func stored(by tool: ToolFormat) -> ItemName? {
        let isURL = itemClass == .internetPassword
        let given = tool.isForServers && !isURL ? otherAttributes : attributes
        guard let given, let stored = try? tool.attributes(given) else {
            return nil
        }
        var attributes = ItemAttributes()
        attributes.account = stored.account
        if tool.isForServers || isURL {
            attributes.server = stored.server
            attributes.protocol = stored.protocol
            attributes.port = stored.port ?? 0
            attributes.path = (stored.path ?? "").trimmingSlashes
        } else {
            attributes.service = stored.service
        }
        let name = ItemName(
            itemClass: tool.isForServers ? .internetPassword : itemClass, attributes: attributes,
            otherAttributes: nil)
        return name.attributes == self.attributes ? nil : name
    }

    /// The same name with an account.
    func ofAccount(_ account: String) -> ItemName {
        var attributes = attributes
        attributes.account = ByteString(account)
        var others = otherAttributes
        others?.account = ByteString(account)
        return ItemName(itemClass: itemClass, attributes: attributes, otherAttributes: others)
    }

    /// The same name with any account.
    var ofAnyAccount: ItemName {
        var attributes = attributes
        attributes.account = nil
        var others = otherAttributes
        others?.account = nil
        return ItemName(itemClass: itemClass, attributes: attributes, otherAttributes: others)
    }

    /// Returns the text of a name without the user of a URL, which a list shows as the account.
    static func withoutUser(_ text: String) -> ByteString {
        var bytes = Array(text.utf8)
        let parts = URLParts(bytes.span)
        if parts.scheme != nil, let user = parts.user {
            bytes.removeSubrange(user.lowerBound..<parts.host.lowerBound)
        }
        return ByteString(bytes)
    }

    private init(
        itemClass: ItemClass, attributes: ItemAttributes, otherAttributes: ItemAttributes?
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.otherAttributes = otherAttributes
    }

    /// Reads the parts of a URL.
    private static func server(
        _ text: [UInt8], _ parts: URLParts, account: String?
    ) throws(KeychainError) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.account = account.map { ByteString($0) }
        attributes.protocol = parts.scheme.map {
            ProtocolType(scheme: ByteString(Array(text[$0])).lowercasedASCII)
        }
        attributes.path = try ItemName.decoded(text[parts.rest]).trimmingSlashes
        try ItemName.takeAuthority(text, parts, into: &attributes)
        guard attributes.server != "" || attributes.path != "" else {
            throw KeychainError(.param, "the URL has no host")
        }
        return attributes
    }

    private static func takeAuthority(
        _ text: [UInt8], _ parts: URLParts, into attributes: inout ItemAttributes
    ) throws(KeychainError) {
        guard parts.password == nil else {
            throw KeychainError(
                .param, "other users can read a password in a URL",
                hint: "leave the password out: lanyard asks for it, or use --stdin")
        }
        if let user = parts.user {
            let account = try decoded(text[user])
            guard attributes.account == nil || attributes.account == account else {
                throw KeychainError(
                    .param, "the URL names another account",
                    hint: "name the account only once")
            }
            attributes.account = account
        }
        attributes.port = 0
        if let digits = parts.port {
            guard let port = text.span.extracting(digits).port else {
                throw KeychainError(.param, "the port in the URL is not a number from 1 to 65535")
            }
            attributes.port = port
        }
        let host = text[parts.host]
        let isBracketed = host.first == UInt8(ascii: "[") && host.last == UInt8(ascii: "]")
        guard isBracketed || !host.contains(UInt8(ascii: ":")) else {
            throw KeychainError(
                .param, "an address with colons needs brackets in a URL",
                hint: "for example https://[::1]:8443/")
        }
        attributes.server = try decoded(host).lowercasedASCII
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
