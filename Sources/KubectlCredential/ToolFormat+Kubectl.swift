package import KeychainServices

extension ToolFormat {
    /// kubectl, whose tokens ``KubectlCredentialHelper`` finds.
    package static let kubectl = ToolFormat(
        name: KubectlCredentialHelper.accessGroup.description,
        helper: "kubectl-credential-lanyard", programs: ["kubectl"],
        attributes: { name throws(KeychainError) in
            var attributes = name
            attributes.server = name.server?.lowercasedASCII
            // A cluster's logins have no paths.
            attributes.path = nil
            return attributes
        },
        check: { token throws(KeychainError) in
            guard token.isHeaderToken else {
                throw KeychainError(.param, "kubectl tokens are text without spaces")
            }
        }, protocolHelper: .kubectl)
}
