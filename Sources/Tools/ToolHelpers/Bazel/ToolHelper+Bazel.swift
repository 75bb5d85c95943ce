internal import KeychainServices

extension ToolHelper {
    /// Answers bazel's request, the only operation of whose helpers is `get`.
    static let bazel = ToolHelper(
        help: """
            usage: bazel-credential-lanyard [--keychain NAME] OPERATION
                   bazel-credential-lanyard --help|--version

            Gives bazel the login for a URL from an encrypted keychain, as headers.

            examples:
              lanyard set --for bazel https://cache.example.com
              bazel build --credential_helper="$(command -v bazel-credential-lanyard)" //...
            """, accessGroups: AccessGroups(BazelCredentialHelper.accessGroup)
    ) { session throws(KeychainError) in
        let operation = try session.onlyArgument("operation")
        guard operation == "get" else {
            throw session.wrongUsage("unknown operation '\(operation)'")
        }
        let url = try BazelCredentialHelper.url(in: try session.readAll())
        // bazel waits 10 seconds, too few for an answer.
        session.forbidQuestions()
        let helper = BazelCredentialHelper(keychain: try session.keychain(within: 4000))
        try session.write(try helper.headers(for: url))
    }
}
