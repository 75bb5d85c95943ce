internal import KeychainServices

extension ToolHelper {
    /// Performs the only argument, an operation of vault's token helpers.
    static let vault = ToolHelper(
        help: """
            usage: vault-token-lanyard [--keychain NAME] get|store|erase
                   vault-token-lanyard --help|--version

            Stores the tokens of vault in an encrypted keychain, one for each VAULT_ADDR.

            examples:
              echo "token_helper = \\"$(command -v vault-token-lanyard)\\"" >>~/.vault
              vault login
            """, accessGroups: AccessGroups(VaultTokenHelper.accessGroup)
    ) { session throws(KeychainError) in
        let operation = try session.onlyArgument("operation")
        guard ["get", "store", "erase"].contains(operation) else {
            throw session.wrongUsage("unknown operation '\(operation)'")
        }
        let url = try VaultTokenHelper.url(
            vault: try session.variable(VaultTokenHelper.variable),
            openBao: try session.variable(VaultTokenHelper.openBaoVariable))
        let helper = VaultTokenHelper(keychain: try session.keychain())
        switch operation {
        case "get":
            if let token = try helper.get(url) {
                try session.write(token)
            }
        case "store":
            // vault sends no newline; echo does.
            try helper.store(try session.readAll().droppingFinalNewline(), for: url)
        default: try helper.erase(url)
        }
    }
}
