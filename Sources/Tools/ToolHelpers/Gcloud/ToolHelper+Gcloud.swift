internal import KeychainServices

extension ToolHelper {
    /// Prints the token for the audience that is the only argument. Failures are in the answer, too: the client shows
    /// their text only if the status is 0.
    static let gcloud = ToolHelper(
        help: """
            usage: gcloud-credential-lanyard [--keychain NAME] AUDIENCE
                   gcloud-credential-lanyard --help|--version

            Gives Google's clients a token for workload identity federation from an encrypted keychain.

            examples:
              lanyard set --for gcloud AUDIENCE
              export GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1
            """, accessGroups: AccessGroups(GcloudCredentialHelper.accessGroup),
        isErrorPartOfAnswer: true
    ) { session throws(KeychainError) in
        let answer: Secret
        do throws(KeychainError) {
            let audience = try session.onlyArgument("audience")
            let type = try session.variable("GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE")
            if try session.variable("GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE") == "0" {
                session.forbidQuestions()
            }
            let helper = GcloudCredentialHelper(
                keychain: try session.keychain(), now: session.now)
            answer = try helper.answer(ByteString(audience), type: type.map { ByteString($0) })
        } catch {
            answer = try GcloudCredentialHelper.failure(error)
        }
        try session.write(answer)
    }
}
