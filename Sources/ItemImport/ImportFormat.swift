public import KeychainServices

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
        _ body: (ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError)

    /// How many entries a file has that is of this form.
    ///
    /// - Throws: What ``read(_:_:)`` throws of the file.
    func count(_ file: borrowing Secret) throws(KeychainError) -> Int
}

extension ImportFormat {
    /// The entries that ``read(_:_:)`` hands out.
    public func count(_ file: borrowing Secret) throws(KeychainError) -> Int {
        var count = 0
        try read(file) { _ in count += 1 }
        return count
    }
}
