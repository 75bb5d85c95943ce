package import KeychainServices

extension ToolFormat {
    /// aws and the programs that share its configuration, whose access keys ``AWSCredentialHelper`` finds.
    package static let aws = ToolFormat(
        name: AWSCredentialHelper.accessGroup.description,
        helper: "aws-credential-lanyard", programs: ["aws"], isForServers: false,
        needsAccount: true,
        attributes: { name throws(KeychainError) in
            guard let profile = name.service, !profile.isEmpty, let key = name.account,
                !key.isEmpty, key.bytes.allSatisfy({ $0.isLetterOrDigit })
            else {
                throw KeychainError(
                    .param, "aws needs the name of a profile and an access key ID",
                    hint: "lanyard set --for aws work AKIAIOSFODNN7EXAMPLE")
            }
            return name
        },
        check: { secret throws(KeychainError) in
            guard AWSSession(secret).isValid else {
                throw KeychainError(
                    .param,
                    "the secret is not a secret access key, or has an invalid line below it",
                    hint: "further lines are session_token=... and expiration=2027-01-31T12:00:00Z")
            }
        },
        password: { AWSSession($0).secretAccessKey.copy() },
        isSameLogin: { AWSSession($0).leavesUnchanged(AWSSession($1)) },
        expiry: Expiry(
            date: { AWSSession($0).expiration },
            hasEnded: { AWSSession($0).hasEnded(at: $1) },
            secret: { AWSSession($0).text(expiration: $1) }),
        protocolHelper: .aws)
}
