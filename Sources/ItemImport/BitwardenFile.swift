public import Keychain

/// Bitwarden's export in JSON, the one that is not encrypted.
///
/// Items are in the access group `login`.
public struct BitwardenFile: ImportFormat {
    /// The form; there is nothing to set.
    public init() {}

    /// Reads a whole file.
    public func read(
        _ file: borrowing Secret,
        _ body: (consuming ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {}
}
