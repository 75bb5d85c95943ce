public import Keychain

/// A form of file in which other programs keep logins.
public protocol ImportFormat: Sendable {
    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file.
    ///   - body: Is handed each entry in the file's order. What it throws ends the reading.
    /// - Throws: ``Status/decode`` if the file as a whole is not of this form, with the number of
    ///   the line that is not, and nothing of what it says. A single entry that makes no item is
    ///   skipped instead, wherever the form allows to tell where the next one begins.
    func read(
        _ file: borrowing Secret,
        _ body: (consuming ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError)
}
