package import KeychainServices
internal import ToolHelpers

/// bazel, which asks for the logins of servers.
package enum BazelTool: CatalogTool {
    package static let name = "bazel"
    package static let format: ToolFormat? = .bazel
    package static let settings: ToolSettings? = ToolSettings(
        "bazel",
        files: [
            SettingsFile(
                ".bazelrc", "bazel asks lanyard for the logins of servers",
                lines: ["common --credential_helper=HELPER"])
        ],
        notes: ["bazel before 6.3 fails with the setting"])
    package static let sources = [
        "bazelbuild/proposals/designs/2022-06-07-bazel-credential-helpers.md"
    ]
}
