internal import GitCredential
internal import KeychainServices

/// Answers go from a keychain: with its own logins and with git's.
struct GoAuthHelper {
    /// The access group of its own logins.
    static let accessGroup: ByteString = "go"

    /// The groups in which it looks.
    static let accessGroups = AccessGroups(
        accessGroup, others: [GitCredentialHelper.accessGroup])

    let keychain: Keychain
    let now: Timestamp

    /// Returns the credentials for an address; empty without a login.
    ///
    /// - Throws: ``Status/param`` for an address that is not one of https; ``Status/decode`` for an account with a
    ///   colon; what the keychain throws.
    func get(_ address: String) throws(KeychainError) -> Secret {
        // A query and a fragment belong to no path.
        let place = Array(
            address.utf8.prefix { ![UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) })
        guard let url = ServerURL(ByteString(place)), url.scheme?.lowercasedASCII == "https" else {
            throw KeychainError(.param, "'\(address)' is not an address of https")
        }
        for group in [GoAuthHelper.accessGroup] + GoAuthHelper.accessGroups.others {
            guard let login = try keychain.serverLogin(for: url, in: group) else {
                continue
            }
            let password =
                group == GitCredentialHelper.accessGroup
                ? usablePassword(ofStored: login.secret, at: now) : login.secret.copy()
            switch password {
            case .some(let password): return try answer(login.attributes, url, password)
            case .none: continue
            }
        }
        return Secret("")
    }

    /// Returns the prefix of the addresses that a login is for, and the header of requests to them. go compares the
    /// prefix with its address byte by byte, so host and port are as in that one.
    private func answer(
        _ attributes: ItemAttributes, _ url: ServerURL, _ password: borrowing Secret
    ) throws(KeychainError) -> Secret {
        let account = attributes.account ?? ""
        guard !account.bytes.contains(UInt8(ascii: ":")) else {
            throw KeychainError(.decode, "the account '\(account)' has a colon")
        }
        var place = attributes
        place.protocol = .https
        place.server = url.host
        place.port = url.port
        guard let prefix = ServerURL.text(place), prefix.bytes.allSatisfy({ $0 > 0x20 }) else {
            throw KeychainError(.decode, "the address of the login is invalid")
        }
        var login = SecretBuilder(capacity: account.bytes.count + 1 + password.count)
        login.append(account)
        login.append(":")
        login.append(password)
        let encoded = login.finish().withBytes { Base64.encode($0) }
        var text = SecretBuilder(capacity: prefix.bytes.count + encoded.count + 64)
        text.append(prefix)
        text.append("\n\nAuthorization: Basic ")
        text.append(encoded)
        text.append("\n\n")
        return text.finish()
    }
}
