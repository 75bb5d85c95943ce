internal import PlainTextFormats

/// The file of `uv auth login`; uv asks keyring for its logins.
package enum UVTool: CatalogTool {
    package static let name = "uv"
    package static let plainText = [
        SecretFile(
            ".local/share/uv/credentials/credentials.toml", .toml,
            [.secret(["*", "*", "password"])])
    ]
    package static let moves = [
        FileMove(".local/share/uv/credentials", variables: ["UV_CREDENTIALS_DIR"]),
        FileMove(".local/share", variables: ["XDG_DATA_HOME"]),
    ]
    package static let setupName = "keyring"
    package static let sources = [
        "https://docs.astral.sh/uv/reference/environment/#uv_credentials_dir"
    ]
}
