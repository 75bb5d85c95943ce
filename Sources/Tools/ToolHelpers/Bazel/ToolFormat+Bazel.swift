package import KeychainServices

extension ToolFormat {
    /// bazel, whose logins ``BazelCredentialHelper`` finds.
    package static let bazel = ToolFormat(
        tokensOf: BazelCredentialHelper.accessGroup.description,
        helper: "bazel-credential-lanyard", programs: ["bazel"], isToken: false,
        // bazel.build's remote caches are grpcs, and it asks for https.
        schemes: ["grpcs": .https], protocolHelper: .bazel)
}
