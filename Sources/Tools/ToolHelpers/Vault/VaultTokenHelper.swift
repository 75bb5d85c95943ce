internal import KeychainServices

/// vault's tokens in a keychain: implements each operation of a token helper.
///
/// The corresponding type of vault is ExternalTokenHelper.
struct VaultTokenHelper {
    /// The access group of vault's tokens.
    static let accessGroup: ByteString = "vault"

    /// The environment variable with the server's address; OpenBao has one of its own.
    static let variable = "VAULT_ADDR"
    /// OpenBao's own variable.
    static let openBaoVariable = "BAO_ADDR"

    let keychain: Keychain

    /// Returns the server's address. vault and OpenBao start the same helper, and OpenBao prefers its own variable.
    ///
    /// - Parameters:
    ///   - vault: The value of vault's variable; without any, both use their development server.
    ///   - openBao: The value of OpenBao's variable.
    /// - Throws: ``Status/param`` for a value that is not a URL, and for two servers, of which one must not get the
    ///   other's token.
    static func url(vault: String?, openBao: String?) throws(KeychainError) -> ServerURL {
        let given = [vault, openBao].compactMap { $0 }.filter { !$0.isEmpty }
        let urls = try (given.isEmpty ? ["https://127.0.0.1:8200"] : given).map(parse)
        guard urls.allSatisfy({ $0 == urls[0] }) else {
            throw KeychainError(
                .param, "\(variable) and \(openBaoVariable) are two servers",
                hint: "unset one of them")
        }
        return urls[0]
    }

    private static func parse(_ text: String) throws(KeychainError) -> ServerURL {
        guard let url = ServerURL(ByteString(ServerURL.naming(socket: text))), url.scheme != nil
        else {
            throw KeychainError(
                .param, "the server's address is not a URL",
                hint: "for example https://vault.example.com")
        }
        return url.normalized
    }

    /// Returns the token for a server; nil if there is none.
    ///
    /// - Throws: What the keychain throws.
    func get(_ url: ServerURL) throws(KeychainError) -> Secret? {
        let login = try keychain.serverLogin(for: url, in: VaultTokenHelper.accessGroup)
        // Another server may be behind another path.
        guard let login, url.isAddress(of: login.attributes) else {
            return nil
        }
        return login.secret.copy()
    }

    /// Stores a token.
    ///
    /// - Throws: ``Status/param`` for a token that no header can have; what the keychain throws.
    func store(_ token: borrowing Secret, for url: ServerURL) throws(KeychainError) {
        guard token.isHeaderToken else {
            throw KeychainError(.param, "vault tokens are text without spaces")
        }
        try place(url).setValue(token, for: "")
    }

    /// Deletes the token for a server. A missing one is not an error.
    ///
    /// - Throws: What the keychain throws.
    func erase(_ url: ServerURL) throws(KeychainError) {
        _ = try keychain.removeServerLogins(for: url, in: VaultTokenHelper.accessGroup)
    }

    private func place(_ url: ServerURL) -> SecureStore {
        SecureStore(
            keychain: keychain,
            queryable: InternetPasswordQueryable(
                server: url.host, port: url.port, path: url.path,
                protocol: url.scheme.map { ProtocolType(scheme: $0) },
                accessGroup: VaultTokenHelper.accessGroup))
    }
}
