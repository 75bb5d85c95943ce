internal import KeychainServices

/// podman's secrets in a keychain: implements each operation of the secret driver `shell`.
///
/// The corresponding package is shelldriver of podman's library `common`.
struct PodmanSecretHelper {
    /// The access group of podman's secrets.
    static let accessGroup: ByteString = "podman"

    /// The environment variable with a secret's ID.
    static let variable = "SECRET_ID"

    let keychain: Keychain

    /// Returns a secret's ID. `list` prints one a line, and podman trims spaces.
    ///
    /// - Parameter text: The value of the variable.
    /// - Throws: ``Status/param`` without one, and for one with spaces.
    static func id(_ text: String?) throws(KeychainError) -> ByteString {
        guard let text, !text.isEmpty else {
            throw KeychainError(.param, "\(variable) is not set")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw KeychainError(.param, "\(variable) has spaces")
        }
        return ByteString(text)
    }

    /// Returns the IDs of all secrets, one a line.
    ///
    /// - Throws: What the keychain throws.
    func list() throws(KeychainError) -> Secret {
        var query = Query(.genericPassword)
        query.attributes.accessGroup = PodmanSecretHelper.accessGroup
        query.attributes.isNegative = false
        var lines = SecretBuilder()
        for id in Set(try keychain.attributes(of: query).compactMap({ $0.service })) {
            lines.append(id)
            lines.append("\n")
        }
        return lines.finish()
    }

    /// Returns a secret.
    ///
    /// - Throws: ``Status/itemNotFound``; what the keychain throws.
    func lookup(_ id: ByteString) throws(KeychainError) -> Secret {
        guard let secret = try place(id).getValue(for: "") else {
            throw missing(id)
        }
        return secret
    }

    /// Stores a secret, and replaces one that has the ID.
    ///
    /// - Throws: What the keychain throws.
    func store(_ secret: borrowing Secret, as id: ByteString) throws(KeychainError) {
        try place(id).setValue(secret, for: "")
    }

    /// Deletes a secret.
    ///
    /// - Throws: ``Status/itemNotFound``; what the keychain throws.
    func delete(_ id: ByteString) throws(KeychainError) {
        var query = Query(.genericPassword)
        query.attributes.accessGroup = PodmanSecretHelper.accessGroup
        query.attributes.service = id
        do throws(KeychainError) {
            try keychain.delete(query)
        } catch {
            throw error.status == .itemNotFound ? missing(id) : error
        }
    }

    private func place(_ id: ByteString) -> SecureStore {
        SecureStore(
            keychain: keychain,
            queryable: GenericPasswordQueryable(
                service: id, accessGroup: PodmanSecretHelper.accessGroup))
    }

    private func missing(_ id: ByteString) -> KeychainError {
        KeychainError(.itemNotFound, "found no secret '\(id)'")
    }
}
