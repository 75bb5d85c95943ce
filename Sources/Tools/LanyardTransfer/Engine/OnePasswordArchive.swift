internal import LanyardPrompting
package import KeychainServices

/// An export 1PUX of 1Password, a zip archive, or the file `export.data` from one.
///
/// The program `unzip` gets the archive as its standard input, and reads only that one file.
package struct OnePasswordArchive: ImportFormat {
    /// How many seconds the program has.
    private static let timeLimit: UInt32 = 60
    /// The file in the archive.
    private static let member = "export.data"

    package init() {}

    /// Reads a whole file. An invalid file yields no entries.
    ///
    /// - Throws: ``Status/notAvailable`` without `unzip`, or if it takes too long; ``Status/decode`` for an invalid
    ///   archive; ``Status/dataTooLarge``; what ``OnePasswordFile/read(_:_:)`` throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        let format = OnePasswordFile()
        guard text.starts(with: "PK") else {
            return try format.read(text, body)
        }
        try format.read(OnePasswordArchive.content(of: text), body)
    }

    private static func content(of archive: Span<UInt8>) throws(KeychainError) -> Secret {
        guard let path = try programPath("unzip") else {
            throw KeychainError(
                .notAvailable, "unzip is not on the PATH",
                hint: "install it, or unpack \(member) and import that")
        }
        let program = AskedProgram(
            "unzip", path: path, ["-p", "-q", "/dev/stdin", member], timeLimit: timeLimit)
        // The archive is a file that anyone can read as well.
        let answer = try program.answer(to: archive, limit: PlainTextFile.limit)
        guard answer.status == 0 else {
            throw KeychainError(
                .decode, "unzip finds no valid \(member) in the file, so it is not an export 1PUX")
        }
        return answer.text.copy()
    }
}
