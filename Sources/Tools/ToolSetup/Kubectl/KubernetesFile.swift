internal import KeychainServices
internal import PlainTextFormats

/// A file of kubectl's, with its lines.
struct KubernetesFile {
    let file: FileBytes
    /// The lines, without line feeds.
    let lines: [FileBytes]
    /// The document.
    let root: YAMLNode

    /// Parses a file. The parser that kubectl has takes a second document, or a key for the second time, otherwise than users
    /// expect, so neither is read.
    ///
    /// - Throws: ``Status/decode`` with the line's number.
    init(_ bytes: FileBytes) throws(KeychainError) {
        guard bytes.withBytes({ $0.isUTF8 }) else {
            throw KeychainError(.decode, "it is not UTF-8")
        }
        file = bytes
        lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let (documents, failure) = YAMLReader.read(bytes)
        root = documents.first ?? YAMLNode()
        let further = documents.dropFirst().first
        if let line = failure?.line ?? further?.line ?? root.lineOfRepeatedKey {
            throw KeychainError(
                .decode, "line \(line + 1) is not of the form that kubectl writes",
                hint: line == lines.count - 1
                    ? "the file may be cut off: its last line has no end" : nil)
        }
    }
}
