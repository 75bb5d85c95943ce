internal import KeychainServices

extension ToolHelper {
    /// Talks to gpg-agent, which may give the options of a pinentry.
    static let gpg = ToolHelper(
        help: """
            usage: pinentry-lanyard [--keychain NAME]
                   pinentry-lanyard --help|--version

            Gives gpg-agent passphrases from an encrypted keychain, and lets pinentry ask you for the rest.

            examples:
              lanyard set --for gpg KEYGRIP
              echo "pinentry-program $(command -v pinentry-lanyard)" >>~/.gnupg/gpg-agent.conf
              gpgconf --reload gpg-agent
            """, accessGroups: AccessGroups(PinentryServer.accessGroup)
    ) { session throws(KeychainError) in
        var server = PinentryServer(session)
        try server.run()
    }
}
