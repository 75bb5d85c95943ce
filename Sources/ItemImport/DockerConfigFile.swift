public import Keychain

/// The logins in docker's config.json and podman's auth.json: the member `auths`.
///
/// Items are what `docker-credential-lanyard` would keep of the same login, in the access group `docker`.
/// The corresponding manual page of podman is containers-auth.json(5).
public struct DockerConfigFile: ImportFormat {
    /// The form; there is nothing to set.
    public init() {}

    /// Reads a whole file.
    public func read(
        _ file: borrowing Secret,
        _ body: (consuming ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {}
}
