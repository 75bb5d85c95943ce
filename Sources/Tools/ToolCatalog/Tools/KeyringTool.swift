package import KeychainServices
internal import ToolHelpers

/// pip, uv and Python's library keyring, for which the setup has code of its own.
package enum KeyringTool: CatalogTool {
    package static let name = "keyring"
    package static let format: ToolFormat? = .keyring
    package static let settings: ToolSettings? = ToolSettings(
        "pip, uv and Python's library keyring",
        files: [
            SettingsFile(
                ".config/pip/pip.conf", "pip gets the logins of indexes from lanyard",
                [SettingsSection(header: "[global]", lines: ["keyring-provider = subprocess"])]),
            SettingsFile(
                ".config/uv/uv.toml", "uv gets the logins of indexes from lanyard",
                lines: ["keyring-provider = \"subprocess\""]),
            SettingsFile(script: ".local/bin/keyring", "the program 'keyring' is lanyard's"),
        ],
        notes: [
            SettingsNote(
                "pip and uv look for 'keyring' on PATH: put ~/.local/bin first", if: .hiddenScript)
        ])
    package static let sources = [
        "https://pip.pypa.io/en/stable/topics/authentication/",
        "https://docs.astral.sh/uv/reference/settings/",
    ]
}
