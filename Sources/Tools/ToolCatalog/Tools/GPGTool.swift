package import KeychainServices
internal import ToolHelpers

/// gpg-agent, which asks for the passphrases of keys.
package enum GPGTool: CatalogTool {
    package static let name = "gpg"
    package static let format: ToolFormat? = .gpg
    package static let settings: ToolSettings? = ToolSettings(
        "gpg-agent",
        files: [
            SettingsFile(
                ".gnupg/gpg-agent.conf",
                "gpg-agent gets the passphrases of keys from lanyard, or asks you",
                lines: ["pinentry-program HELPER"])
        ],
        notes: ["a running gpg-agent reads it after: gpgconf --reload gpg-agent"])
    package static let moves = [FileMove(".gnupg", variables: ["GNUPGHOME"])]
    package static let sources = [
        "https://www.gnupg.org/documentation/manuals/gnupg/Agent-Options.html"
    ]
}
