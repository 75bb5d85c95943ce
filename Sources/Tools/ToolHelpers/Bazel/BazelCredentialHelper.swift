internal import KeychainServices
internal import StrictJSON

/// Answers bazel from a keychain.
///
/// The corresponding document is the credential helper specification of EngFlow, which bazel follows.
struct BazelCredentialHelper {
    /// The access group of bazel's logins.
    static let accessGroup: ByteString = "bazel"

    let keychain: Keychain

    /// Returns the address in a request.
    ///
    /// - Throws: ``Status/decode`` for a request that is not an object with a `uri`; ``Status/param`` for one that
    ///   is not a URL.
    static func url(in request: borrowing Secret) throws(KeychainError) -> ServerURL {
        var uri: ByteString?
        try JSONReader.readObject(request) { name, reader throws(KeychainError) in
            if name == "uri" {
                uri = try reader.readText()
            }
        }
        guard let uri else {
            throw KeychainError(.decode, "the request has no uri")
        }
        guard let url = ServerURL(uri.withoutQuery), url.scheme != nil else {
            throw KeychainError(.param, "the request's uri is not a URL")
        }
        return url
    }

    /// Returns the headers for an address, one line of JSON. An item with an account is a login, any other a token.
    ///
    /// - Throws: ``Status/decode`` for a token that no header can have; what the keychain throws.
    func headers(for url: ServerURL) throws(KeychainError) -> Secret {
        let header = try keychain.serverLogin(for: url, in: BazelCredentialHelper.accessGroup)?
            .authorization()
        return try JSONWriter.writeObject { writer throws(KeychainError) in
            try writer.member(object: "headers") { writer throws(KeychainError) in
                switch header {
                case .some(let header):
                    try writer.member("Authorization") { writer throws(KeychainError) in
                        try writer.writeArray { writer throws(KeychainError) in
                            try writer.write(header)
                        }
                    }
                case .none: break
                }
            }
        }
    }
}

extension ByteString {
    /// The address without its query and fragment, which can follow the host at once.
    fileprivate var withoutQuery: ByteString {
        ByteString(Array(bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }))
    }
}

extension ServerLogin {
    /// Returns the value of the header Authorization.
    ///
    /// - Throws: ``Status/decode`` for a token that no header can have.
    fileprivate borrowing func authorization() throws(KeychainError) -> Secret {
        var value = SecretBuilder()
        if let account = attributes.account, !account.isEmpty {
            var login = SecretBuilder()
            login.append(account)
            login.append(":")
            login.append(secret)
            value.append("Basic ")
            value.append(login.finish().withBytes { Base64.encode($0) })
        } else {
            guard secret.isHeaderToken else {
                throw KeychainError(.decode, "the stored token is not text without spaces")
            }
            value.append("Bearer ")
            value.append(secret)
        }
        return value.finish()
    }
}
