package import KeychainServices

extension ToolFormat {
    /// kubectl, whose tokens ``KubectlCredentialHelper`` finds.
    package static let kubectl = ToolFormat(
        name: KubectlCredentialHelper.accessGroup.description,
        helper: "kubectl-credential-lanyard", programs: ["kubectl"],
        attributes: { name throws(KeychainError) in
            guard name.protocol == nil || name.protocol == .https else {
                throw KeychainError(.param, "kubectl gets tokens only for https servers")
            }
            var attributes = name
            attributes.protocol = .https
            attributes.server = name.server?.lowercasedASCII
            return attributes
        },
        check: { token throws(KeychainError) in
            guard token.isHeaderToken else {
                throw KeychainError(.param, "kubectl tokens are text without spaces")
            }
        }, protocolHelper: .kubectl)
}
