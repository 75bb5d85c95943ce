internal import KeychainServices
internal import StrictJSON

/// Answers Google's clients, which call this an executable-sourced credential, from a keychain.
///
/// The corresponding document is AIP-4117, "External Account Credentials (executable)".
struct GcloudCredentialHelper {
    /// The access group of the tokens.
    static let accessGroup: ByteString = "gcloud"

    private static let jwt: ByteString = "urn:ietf:params:oauth:token-type:jwt"
    private static let idToken: ByteString = "urn:ietf:params:oauth:token-type:id_token"
    private static let saml: ByteString = "urn:ietf:params:oauth:token-type:saml2"

    let keychain: Keychain
    let now: Timestamp

    /// Returns the answer with the token for an audience, one line of JSON.
    ///
    /// - Parameter type: The type of token that the client wants; nil for a JSON Web Token.
    /// - Throws: ``Status/itemNotFound``; ``Status/param`` for an unknown type; ``Status/decode`` for an expired
    ///   token and one that is not text; what the keychain throws.
    func answer(_ audience: ByteString, type: ByteString?) throws(KeychainError) -> Secret {
        let type = type ?? GcloudCredentialHelper.jwt
        guard [Self.jwt, Self.idToken, Self.saml].contains(type) else {
            throw KeychainError(.param, "the client wants an unknown type of token")
        }
        guard
            let token = try keychain.secret(
                named: audience, in: GcloudCredentialHelper.accessGroup)
        else {
            throw KeychainError(
                .itemNotFound, "found no token for this audience",
                hint: "lanyard set --for gcloud \(audience.shellWord)")
        }
        guard token.isText else {
            throw KeychainError(.decode, "the stored token is not text")
        }
        let expiry = token.webTokenExpiry
        if let expiry, expiry < now {
            throw KeychainError(
                .decode, "the stored token has expired",
                hint: "lanyard set --for gcloud \(audience.shellWord)")
        }
        return try JSONWriter.writeObject { writer throws(KeychainError) in
            try writer.member("version", 1)
            try writer.member("success", true)
            try writer.member("token_type", type)
            try writer.member(
                type == Self.saml ? "saml_response" : "id_token", token)
            if let expiry {
                try writer.member("expiration_time", expiry.secondsSinceEpoch)
            }
        }
    }

    /// Returns the answer for an error, one line of JSON.
    ///
    /// - Throws: ``Status/decode`` for a text that is not UTF-8.
    static func failure(_ error: KeychainError) throws(KeychainError) -> Secret {
        let hint = error.hint.map { "; \($0)" } ?? ""
        return try JSONWriter.writeObject { writer throws(KeychainError) in
            try writer.member("version", 1)
            try writer.member("success", false)
            try writer.member("code", ByteString(String(error.status.rawValue)))
            try writer.member("message", ByteString("\(error.reason)\(hint)"))
        }
    }
}

extension Secret {
    /// The time in the claim `exp`, if this is a JSON Web Token with one: RFC 7519, section 4.1.4.
    fileprivate var webTokenExpiry: Timestamp? {
        let dot = UInt8(ascii: ".")
        guard let start = firstIndex(of: dot) else {
            return nil
        }
        let rest = dropping(start + 1)
        guard let end = rest.firstIndex(of: dot) else {
            return nil
        }
        var text = SecretBuilder(capacity: end + 3)
        rest.withBytes { bytes in
            for index in 0..<end {
                switch bytes[index] {
                case UInt8(ascii: "-"): text.append(UInt8(ascii: "+"))
                case UInt8(ascii: "_"): text.append(UInt8(ascii: "/"))
                case let byte: text.append(byte)
                }
            }
        }
        while text.count % 4 != 0 {
            text.append(UInt8(ascii: "="))
        }
        guard let claims = text.finish().withBytes({ Base64.decode($0) }) else {
            return nil
        }
        var seconds: Int64?
        _ = try? JSONReader.readObject(claims) { name, reader throws(KeychainError) in
            if name == "exp" {
                seconds = try reader.readInteger()
            }
        }
        return seconds.map { Timestamp(secondsSinceEpoch: $0) }
    }
}
