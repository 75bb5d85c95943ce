internal import KeychainServices

extension ToolHelper {
    /// Answers kubectl with the login that the arguments name.
    static let kubectl = ToolHelper(
        help: """
            usage: kubectl-credential-lanyard [--keychain NAME] WHAT [ACCOUNT]
                   kubectl-credential-lanyard --help|--version

            Gives kubectl a client certificate or a token from an encrypted keychain.

            examples:
              kubectl config set-credentials ada --exec-command=kubectl-credential-lanyard --exec-arg=ada \\
                  --exec-api-version=client.authentication.k8s.io/v1 --exec-interactive-mode=IfAvailable
              lanyard set --for kubectl https://cluster.example:6443
            """, accessGroups: KubectlCredentialHelper.accessGroups
    ) { session throws(KeychainError) in
        let arguments = session.arguments
        let hasAccount = arguments.count == 2 && !arguments.contains { $0.hasPrefix("-") }
        let what =
            hasAccount ? arguments[0] : try session.onlyArgument("certificate or cluster")
        guard KubectlCredentialHelper.isToken(what) else {
            guard !hasAccount else {
                throw KeychainError(.param, "a certificate has no account")
            }
            // The library for certificates is large: every start of a helper that has it takes longer.
            try session.goOnAsLanyard(["certificate", "kubectl", what])
        }
        let request = try ExecCredentialRequest(
            try session.variable(ExecCredentialRequest.variable))
        let helper = KubectlCredentialHelper(keychain: try session.keychain())
        try session.write(
            try helper.get(
                what, account: hasAccount ? arguments[1] : nil, for: request
            ).answer(to: request))
    }
}
