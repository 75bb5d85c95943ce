public import Keychain

/// The file .netrc, in which curl, ftp and, through curl, git look for logins.
///
/// The file tells neither protocol nor port of a machine. Items are what `git-credential-lanyard` would
/// keep of a login of the machine by https, in the access group `git`.
public struct NetrcFile: ImportFormat {
    /// The form; there is nothing to set.
    public init() {}

    /// Reads a whole file.
    public func read(
        _ file: borrowing Secret,
        _ body: (consuming ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {}
}
