package import KeychainServices
internal import PlainTextFormats
internal import ToolHelpers

/// aws and its libraries. The setup has code of its own: a section for each profile.
package enum AWSTool: CatalogTool {
    package static let name = "aws"
    package static let format: ToolFormat? = .aws
    package static let settings: ToolSettings? = ToolSettings(
        "aws",
        // It has names such as "Ada Lovelace" and "ada@work".
        argument: .init(
            "profile", help: "The profiles that get their keys from lanyard.",
            example: "default work", allowing: " @"))
    /// aws takes keys in the first one before those in the other.
    package static let plainText = [".aws/credentials", ".aws/config"].map {
        SecretFile(
            $0, .ini,
            [
                .account(["*", "aws_access_key_id"]), .secret(["*", "aws_secret_access_key"]),
                .part("session-token", ["*", "aws_session_token"]),
            ], quotes: "")
    }
    package static let moves = [
        FileMove(".aws/credentials", variables: ["AWS_SHARED_CREDENTIALS_FILE"]),
        FileMove(".aws/config", variables: ["AWS_CONFIG_FILE"]),
    ]
    package static let sources = [
        "https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-sourcing-external.html",
        "https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html",
    ]
}
