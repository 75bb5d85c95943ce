public import Keychain

/// Comma-separated values, as browsers and password managers export them: RFC 4180.
///
/// Items are internet passwords in the access group `login`, of entries without an address generic
/// passwords.
public struct CSVFile: ImportFormat {
    /// The form; there is nothing to set.
    public init() {}

    /// Reads a whole file.
    public func read(
        _ file: borrowing Secret,
        _ body: (consuming ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {}
}
