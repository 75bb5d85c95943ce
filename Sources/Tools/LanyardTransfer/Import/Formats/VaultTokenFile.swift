package import KeychainServices
package import ToolCatalog

/// The file ~/.vault-token: the token of the last login.
///
/// It becomes the item of the group `vault` for the server. The corresponding page of Vault's documentation is "Token
/// helpers".
package struct VaultTokenFile: ImportFormat {
    private let address: ByteString

    /// Creates the format.
    ///
    /// - Parameter address: The server's address, which is not in the file.
    package init(address: ByteString) {
        self.address = address
    }

    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        guard !text.isBlank else {
            return
        }
        var earlier = EarlierEntries()
        let token = Secret(copying: text.extracting(text.withoutWhitespace))
        let login = ToolLogin(
            "vault", url: ByteString(ServerURL.naming(socket: address.description)))
        try body(
            ImportRecord(
                line: 1, range: 0..<text.count,
                content: login?.content(token, &earlier)
                    ?? .failed(KeychainError(.param, "VAULT_ADDR is not a URL"))))
    }
}

extension VaultTool: ReadTool {
    package static func reader(
        of path: String?, _ variable: (String) -> String?
    ) throws(KeychainError) -> VaultTokenFile {
        VaultTokenFile(
            address: ByteString(variable("VAULT_ADDR") ?? "https://127.0.0.1:8200"))
    }
}
