package import KeychainServices

/// A project's `.env` file: lines `NAME=VALUE`, whose values may contain references to secrets.
///
/// A value is bare, in single quotes or in double quotes. A bare value ends before a blank and a `#`. Double
/// quotes allow `\n`, `\r`, `\t`, `\"`, `\\` and `\$`. Quoted values may have several lines. In single
/// quotes nothing is special, not even a reference. Lanyard does not replace `$NAME`.
package struct EnvironmentFile: Sendable {
    /// A variable.
    package struct Entry: Equatable, Sendable {
        /// The variable's name.
        package let name: String
        /// Its value.
        package let value: SecretTemplate
        /// The number of its line, from 1.
        package let line: Int
    }

    /// The variables in their order. The last one of a name counts.
    package private(set) var entries: [Entry] = []

    /// Parses a file's bytes.
    ///
    /// - Throws: ``Status/param`` with the number of the invalid line; it never shows the line.
    package init(_ bytes: FileBytes) throws(KeychainError) {
        var reader = EnvironmentReader(bytes)
        while let entry = try reader.next() {
            entries.append(entry)
        }
    }
}

/// Reads a `.env` file's bytes.
private struct EnvironmentReader {
    private static let newline = UInt8(ascii: "\n")

    private var rest: FileBytes
    private var line = 1

    init(_ bytes: FileBytes) {
        // Some editors write a byte order mark.
        rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    }

    /// Takes the next variable, nil at the end.
    mutating func next() throws(KeychainError) -> EnvironmentFile.Entry? {
        while let byte = rest.first {
            if byte == EnvironmentReader.newline || EnvironmentReader.isBlank(byte) {
                take()
            } else if byte == UInt8(ascii: "#") {
                skipLine()
            } else {
                return try entry()
            }
        }
        return nil
    }

    private mutating func entry() throws(KeychainError) -> EnvironmentFile.Entry {
        let start = line
        var name = word()
        if name == "export", rest.first.map(EnvironmentReader.isBlank) == true {
            skipBlanks()
            name = word()
        }
        skipBlanks()
        guard let first = name.utf8.first, !first.isDigit,
            !"-.".utf8.contains(first),
            rest.first == UInt8(ascii: "=")
        else {
            throw invalid("is not NAME=VALUE", start)
        }
        take()
        skipBlanks()
        let value: SecretTemplate
        switch rest.first {
        case UInt8(ascii: "'"):
            value = SecretTemplate(text: try quoted(UInt8(ascii: "'")))
        case UInt8(ascii: "\""):
            value = try template(try quoted(UInt8(ascii: "\"")), start)
        default: value = try template(bare(), start)
        }
        for case .text(let text) in value.pieces where text.contains(0) {
            throw invalid("contains a NUL", start)
        }
        return EnvironmentFile.Entry(name: name, value: value, line: start)
    }

    private func template(_ bytes: FileBytes, _ line: Int) throws(KeychainError) -> SecretTemplate {
        guard bytes.starts(with: SecretReference.scheme.utf8) else {
            return try SecretTemplate(bytes, firstLine: line)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw invalid("has a reference that is not UTF-8", line)
        }
        do throws(KeychainError) {
            return SecretTemplate(try SecretReference(text))
        } catch {
            throw KeychainError(error.status, "line \(line): \(error.reason)", hint: error.hint)
        }
    }

    /// Takes a name: letters, digits, `_`, `-` and `.`.
    private mutating func word() -> String {
        var word: [UInt8] = []
        while let byte = rest.first, EnvironmentReader.isNameByte(byte) {
            word.append(byte)
            take()
        }
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func bare() -> FileBytes {
        let text = rest
        // Without blanks at its end.
        var end = text.startIndex
        while let byte = rest.first, byte != EnvironmentReader.newline {
            if byte == UInt8(ascii: "#"), end == text.startIndex || end < rest.startIndex {
                skipLine()
                break
            }
            take()
            end = EnvironmentReader.isBlank(byte) ? end : rest.startIndex
        }
        return text[..<end]
    }

    private mutating func quoted(_ quote: UInt8) throws(KeychainError) -> FileBytes {
        let start = line
        take()
        var text = SecretBuilder()
        while let byte = rest.first, byte != quote {
            take()
            guard byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), let next = rest.first
            else {
                text.append(byte)
                continue
            }
            take()
            switch next {
            case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "r"): text.append(UInt8(ascii: "\r"))
            case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): text.append(next)
            default:
                text.append(byte)
                text.append(next)
            }
        }
        guard rest.first == quote else {
            throw invalid("has no closing quotation mark", start)
        }
        let value = FileBytes(text.finish())
        take()
        skipBlanks()
        guard let byte = rest.first, byte != EnvironmentReader.newline else {
            return value
        }
        guard byte == UInt8(ascii: "#") else {
            throw invalid("has text after its quotation mark", line)
        }
        skipLine()
        return value
    }

    private mutating func take() {
        line += rest.removeFirst() == EnvironmentReader.newline ? 1 : 0
    }

    private mutating func skipBlanks() {
        while let byte = rest.first, EnvironmentReader.isBlank(byte) {
            take()
        }
    }

    private mutating func skipLine() {
        while let byte = rest.first, byte != EnvironmentReader.newline {
            take()
        }
    }

    private func invalid(_ reason: String, _ line: Int) -> KeychainError {
        KeychainError(.param, "line \(line) \(reason)")
    }

    /// Whether it is a blank; lines may end as on Windows.
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "_-.".utf8.contains(byte)
    }
}
