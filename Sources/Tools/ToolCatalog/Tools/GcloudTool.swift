package import KeychainServices
internal import ToolHelpers

/// Google's clients. The setup has code of its own: a file for an audience.
package enum GcloudTool: CatalogTool {
    package static let name = "gcloud"
    package static let format: ToolFormat? = .gcloud
    package static let settings: ToolSettings? = ToolSettings(
        "Google's clients", place: "in a credential's configuration of its own",
        argument: .init(
            "audience", help: "The audience of the token.", example: "//iam.googleapis.com/x"),
        // No file of the user's sets these variables for every program.
        notes: [
            "tell the clients: export GOOGLE_APPLICATION_CREDENTIALS=FILE",
            "let them start programs: export GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1",
        ])
    package static let moves = [FileMove(".config/gcloud", variables: ["CLOUDSDK_CONFIG"])]
    package static let sources = ["https://google.aip.dev/auth/4117"]
}
