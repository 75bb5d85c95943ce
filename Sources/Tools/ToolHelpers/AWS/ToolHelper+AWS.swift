internal import KeychainServices

extension ToolHelper {
    /// Prints the credentials of the profile that the only argument names.
    static let aws = ToolHelper(
        help: """
            usage: aws-credential-lanyard [--keychain NAME] PROFILE
                   aws-credential-lanyard --help|--version

            Gives aws an access key from an encrypted keychain, as its credential_process.

            examples:
              lanyard set --for aws work AKIAIOSFODNN7EXAMPLE
              aws configure set --profile work credential_process "$(command -v aws-credential-lanyard) work"
            """, accessGroups: AccessGroups(AWSCredentialHelper.accessGroup)
    ) { session throws(KeychainError) in
        let profile = try session.onlyArgument("profile")
        let helper = AWSCredentialHelper(keychain: try session.keychain(), now: session.now)
        try session.write(try helper.get(profile))
    }
}
