package import KeychainServices

extension ToolFormat {
    /// bazel, whose logins ``BazelCredentialHelper`` finds.
    package static let bazel = ToolFormat(
        tokensOf: BazelCredentialHelper.accessGroup.description,
        helper: "bazel-credential-lanyard", programs: ["bazel"], isToken: false,
        protocolHelper: .bazel)
}
