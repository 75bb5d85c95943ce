public import Keychain

/// What `security dump-keychain -d` prints on a Mac.
///
/// Items are in the access group `login`.
public struct KeychainDumpFile: ImportFormat {
    /// The form; there is nothing to set.
    public init() {}

    /// Reads a whole file.
    public func read(
        _ file: borrowing Secret,
        _ body: (consuming ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {}
}
