public import Keychain

/// The file of git-credential-store: a line `https://user:password@host` for each login.
///
/// Items are what `git-credential-lanyard` would keep of the same login, in the access group `git`. The
/// corresponding section of git-credential-store(1) is "STORAGE FORMAT".
public struct GitCredentialsFile: ImportFormat {
    /// The form; there is nothing to set.
    public init() {}

    /// Reads a whole file.
    public func read(
        _ file: borrowing Secret,
        _ body: (consuming ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {}
}
