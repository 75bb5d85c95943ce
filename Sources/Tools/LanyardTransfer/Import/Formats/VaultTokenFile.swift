package import KeychainServices
package import ToolCatalog

/// The file ~/.vault-token: the token of the last login.
///
/// It becomes the item of the group `vault` for the server. The corresponding page of Vault's documentation is "Token
/// helpers".
package struct VaultTokenFile: ImportFormat {
    private let address: ByteString?

    /// Creates the format.
    ///
    /// - Parameter address: The server's address, which is not in the file; nil if it is unknown.
    package init(address: ByteString?) {
        self.address = address
    }

    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        guard !text.isBlank else {
            return
        }
        var earlier = EarlierEntries()
        let token = Secret(copying: text.extracting(text.withoutWhitespace))
        let content: ImportRecord.Content
        if let address {
            let login = ToolLogin(
                "vault", url: ByteString(ServerURL.naming(socket: address.description)))
            content =
                login?.content(token, &earlier)
                ?? .failed(KeychainError(.param, "VAULT_ADDR is not a URL"))
        } else {
            // vault's own default is its server for development.
            content = .failed(
                KeychainError(
                    .param, "the file does not name its server",
                    hint: "name it: VAULT_ADDR=https://HOST:8200 lanyard import vault"))
        }
        try body(ImportRecord(line: 1, range: 0..<text.count, content: content))
    }
}

extension VaultTool: ReadTool {
    package static func reader(
        of path: String?, _ variable: (String) -> String?
    ) throws(KeychainError) -> VaultTokenFile {
        VaultTokenFile(
            address: (variable("VAULT_ADDR") ?? variable("BAO_ADDR")).map { ByteString($0) })
    }
}
