internal import KeychainServices

extension ToolHelper {
    /// Answers go. Its first call names no address and gets nothing; the second one, after a server wanted a login,
    /// names one. The server's response on standard input says nothing more.
    static let go = ToolHelper(
        help: """
            usage: goauth-lanyard [--keychain NAME] [URL]
                   goauth-lanyard --help|--version

            Gives go 1.24 and later the logins of servers from an encrypted keychain.

            examples:
              lanyard set --for go https://proxy.example ada
              GOAUTH=goauth-lanyard GOPROXY=https://proxy.example go mod download
            """, accessGroups: GoAuthHelper.accessGroups
    ) { session throws(KeychainError) in
        guard !session.arguments.isEmpty else {
            return
        }
        let url = try session.onlyArgument("URL")
        let helper = GoAuthHelper(keychain: try session.keychain(), now: session.now)
        try session.write(try helper.get(url))
    }
}
