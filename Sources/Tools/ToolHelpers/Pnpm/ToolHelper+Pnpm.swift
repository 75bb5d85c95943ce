internal import KeychainServices

extension ToolHelper {
    /// Prints the header for the registry that the only argument names: older versions of pnpm add no scheme.
    static let pnpm = ToolHelper(
        help: """
            usage: pnpm-token-lanyard [--keychain NAME] REGISTRY-URL
                   pnpm-token-lanyard --help|--version

            Gives pnpm the token for a registry from an encrypted keychain.

            examples:
              lanyard set --for npm https://npm.example.com/
              lanyard setup pnpm https://npm.example.com/
            """, accessGroups: AccessGroups("npm")
    ) { session throws(KeychainError) in
        let address = try session.onlyArgument("registry")
        guard let url = ServerURL(ByteString(address)), url.scheme != nil else {
            throw KeychainError(
                .param, "the registry is not a URL", hint: "for example https://npm.example.com/")
        }
        guard let login = try session.keychain().serverLogin(for: url, in: "npm") else {
            throw KeychainError(
                .itemNotFound, "found no token for \(address)",
                hint: "lanyard set --for npm \(address.shellWord)")
        }
        guard login.secret.isHeaderToken else {
            throw KeychainError(.decode, "the stored token is not text without spaces")
        }
        var header = SecretBuilder()
        header.append("Bearer ")
        header.append(login.secret)
        try session.writeLine(header.finish())
    }
}
