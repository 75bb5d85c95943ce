package import KeychainServices

extension ToolFormat {
    /// terraform and OpenTofu, whose tokens ``TerraformCredentialHelper`` stores.
    package static let terraform = ToolFormat(
        name: TerraformCredentialHelper.accessGroup.description,
        helper: "terraform-credentials-lanyard", programs: ["terraform", "tofu"],
        attributes: { name throws(KeychainError) in
            guard name.account?.isEmpty ?? true else {
                throw KeychainError(.param, "terraform tokens have no account")
            }
            return TerraformCredentialHelper.item(host: name.server ?? "", port: name.port)
        },
        check: { token throws(KeychainError) in try TerraformCredentialHelper.check(token) },
        protocolHelper: .terraform)
}
