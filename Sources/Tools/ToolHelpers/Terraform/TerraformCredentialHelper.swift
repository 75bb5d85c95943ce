package import KeychainServices
internal import StrictJSON

/// Stores the tokens of terraform and OpenTofu in a keychain.
package struct TerraformCredentialHelper {
    /// The access group of hosts' tokens.
    package static let accessGroup: ByteString = "terraform"

    private static let sizeLimit = 1 << 20

    private let keychain: Keychain
    private let item: ItemAttributes

    /// Creates a helper for a host on a keychain.
    ///
    /// - Parameter host: The host, with its port unless that is 443.
    /// - Throws: ``Status/param`` for anything else.
    package init(_ host: String, keychain: Keychain) throws(KeychainError) {
        guard let url = ServerURL(ByteString(host)), url.scheme == nil, url.path == nil else {
            throw KeychainError(.param, "'\(host)' is not a host")
        }
        self.keychain = keychain
        item = TerraformCredentialHelper.item(host: url.host, port: url.port)
    }

    /// Returns the attributes of the item for a host.
    static func item(host: ByteString, port: UInt16?) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessGroup = accessGroup
        attributes.protocol = .https
        attributes.server = host.lowercasedASCII
        attributes.port = port == 443 ? 0 : port ?? 0
        attributes.path = ""
        return attributes
    }

    /// Returns the host's credentials, one line of JSON; an empty object without a token.
    ///
    /// - Throws: What the keychain throws.
    package func get() throws(KeychainError) -> Secret {
        let token = try keychain.secret(.internetPassword, identifiedBy: item)
        return try JSONWriter.writeObject { writer throws(KeychainError) in
            switch token {
            case .some(let token): try writer.member("token", token)
            case .none: break
            }
        }
    }

    /// Stores the token of credentials.
    ///
    /// - Parameter credentials: A JSON object.
    /// - Throws: ``Status/decode`` for invalid JSON; ``Status/param`` for credentials with other parts, which terraform
    ///   wants back; what the keychain throws.
    package func store(_ credentials: borrowing Secret) throws(KeychainError) {
        var token: Secret?
        var other: ByteString?
        try JSONReader.readObject(credentials, limit: TerraformCredentialHelper.sizeLimit) {
            name, reader throws(KeychainError) in
            if name == "token" {
                token = try reader.readSecret()
            } else {
                other = name
            }
        }
        guard other == nil else {
            throw KeychainError(.param, "credentials with more than a token can't be stored")
        }
        guard let token = token.take() else {
            throw KeychainError(.param, "the credentials have no token")
        }
        try TerraformCredentialHelper.check(token)
        try keychain.store(.internetPassword, item, secret: token)
    }

    /// Deletes the host's token. A missing one is no error.
    ///
    /// - Throws: What the keychain throws.
    package func forget() throws(KeychainError) {
        _ = try keychain.remove(.internetPassword, identifiedBy: item)
    }

    /// Throws unless a token has the form of a bearer token.
    static func check(_ token: borrowing Secret) throws(KeychainError) {
        let isText = token.withBytes { bytes in
            !bytes.isEmpty && bytes.indices.allSatisfy { (0x21..<0x7F).contains(bytes[$0]) }
        }
        guard isText else {
            throw KeychainError(.param, "terraform tokens are text without spaces")
        }
    }
}
