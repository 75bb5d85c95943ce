package import KeychainServices
internal import ToolHelpers

/// go, for the servers of modules.
package enum GoTool: CatalogTool {
    package static let name = "go"
    package static let format: ToolFormat? = .go
    package static let settings: ToolSettings? = ToolSettings(
        "go",
        files: [
            SettingsFile(
                ".config/go/env",
                "go gets the logins of module servers from lanyard, then from netrc",
                lines: ["GOAUTH=HELPER;netrc"])
        ],
        notes: ["go before 1.24 ignores the setting"])
    package static let moves = [FileMove(".config/go/env", variables: ["GOENV"])]
    package static let sources = ["https://go.dev/ref/mod#private-module-proxy-auth"]
}
