package import KeychainServices

/// A text with references to secrets in double braces: `{{ lanyard:stripe/live }}`. Other texts in double
/// braces are not ours and stay. In a whole file, the value of a line `NAME=lanyard:stripe/live` is one, too.
package struct SecretTemplate: Equatable, Sendable {
    /// A piece of the text.
    package enum Piece: Equatable, Sendable {
        /// Bytes that stay as they are.
        case text(FileBytes)
        /// A secret.
        case reference(SecretReference)
    }

    /// The pieces in their order.
    package private(set) var pieces: [Piece] = []

    /// Creates a template of one reference.
    package init(_ reference: SecretReference) {
        pieces = [.reference(reference)]
    }

    /// Creates a template without references.
    package init(text: FileBytes) {
        pieces = text.isEmpty ? [] : [.text(text)]
    }

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - firstLine: The number of its first line, for errors.
    ///   - hasAssignments: Whether lines `NAME=lanyard:…` have references, as in a `.env` file.
    /// - Throws: ``Status/param`` for an invalid reference, or one without its end on the same line.
    package init(
        _ bytes: FileBytes, firstLine: Int = 1, hasAssignments: Bool = false
    ) throws(KeychainError) {
        var text = bytes.startIndex
        var position = text
        var line = firstLine
        var isLineStart = hasAssignments
        while position < bytes.endIndex {
            if isLineStart, let value = SecretTemplate.assignedReference(bytes[position...]) {
                pieces += SecretTemplate(text: bytes[text..<value.lowerBound]).pieces
                pieces.append(.reference(try SecretTemplate.reference(bytes[value], line)))
                position = value.upperBound
                text = position
                isLineStart = false
                continue
            }
            guard let start = SecretTemplate.startOfReference(bytes[position...]) else {
                let isNewline = bytes[position] == SecretTemplate.newline
                line += isNewline ? 1 : 0
                isLineStart = isNewline && hasAssignments
                position += 1
                continue
            }
            guard let end = SecretTemplate.endOfReference(bytes[start...]) else {
                throw KeychainError(.param, "line \(line): a reference has no '}}' on its line")
            }
            pieces += SecretTemplate(text: bytes[text..<position]).pieces
            pieces.append(.reference(try SecretTemplate.reference(bytes[start..<end], line)))
            position = end + 2
            text = position
            isLineStart = false
        }
        pieces += SecretTemplate(text: bytes[text...]).pieces
    }

    /// Whether it contains a reference.
    package var hasReferences: Bool {
        pieces.contains { if case .reference = $0 { true } else { false } }
    }

    /// The references, each with the number of its line, from 1.
    package var references: [(reference: SecretReference, line: Int)] {
        var references: [(SecretReference, Int)] = []
        var line = 1
        for piece in pieces {
            switch piece {
            case .text(let bytes): line += bytes.count { $0 == SecretTemplate.newline }
            case .reference(let reference): references.append((reference, line))
            }
        }
        return references
    }

    private static let newline = UInt8(ascii: "\n")

    private static func reference(
        _ bytes: FileBytes, _ line: Int
    ) throws(KeychainError) -> SecretReference {
        guard let text = String(validating: trimmed(bytes), as: UTF8.self) else {
            throw KeychainError(.param, "line \(line): a reference is not UTF-8")
        }
        do throws(KeychainError) {
            return try SecretReference(text)
        } catch {
            throw KeychainError(error.status, "line \(line): \(error.reason)", hint: error.hint)
        }
    }

    private static func trimmed(_ bytes: FileBytes) -> FileBytes {
        var bytes = bytes
        while let last = bytes.last, isBlank(last) {
            bytes.removeLast()
        }
        return bytes
    }

    /// Returns where the scheme begins after `{{`, nil if these bytes begin no reference.
    private static func startOfReference(_ bytes: FileBytes) -> Int? {
        guard bytes.starts(with: "{{".utf8) else {
            return nil
        }
        let place = bytes.dropFirst(2).drop(while: isBlank)
        return place.starts(with: SecretReference.scheme.utf8) ? place.startIndex : nil
    }

    /// Returns where the reference is on a line `NAME=lanyard:…`, which `export` may precede and quotes surround; nil
    /// if these bytes begin with no such line. Without quotes it ends as a bare value of a `.env` file does.
    private static func assignedReference(_ line: FileBytes) -> Range<Int>? {
        var rest = line.drop(while: isBlank)
        if rest.starts(with: "export".utf8) {
            let name = rest.dropFirst("export".utf8.count)
            rest = name.first.map(isBlank) == true ? name.drop(while: isBlank) : rest
        }
        let value = rest.drop { $0.isLetterOrDigit || "_-.".utf8.contains($0) }
        let start = value.drop(while: isBlank)
        guard value.startIndex > rest.startIndex, start.first == UInt8(ascii: "=") else {
            return nil
        }
        var reference = start.dropFirst().drop(while: isBlank)
        let quote = UInt8(ascii: "\"")
        let isQuoted = reference.first == quote
        reference = isQuoted ? reference.dropFirst() : reference
        guard reference.starts(with: SecretReference.scheme.utf8) else {
            return nil
        }
        reference = reference.prefix { $0 != newline }
        let end = reference.indices.dropFirst().first {
            isQuoted
                ? reference[$0] == quote
                : reference[$0] == UInt8(ascii: "#") && isBlank(reference[$0 - 1])
        }
        guard end != nil || !isQuoted else {
            return nil
        }
        reference = trimmed(end.map { reference[..<$0] } ?? reference)
        return reference.startIndex..<reference.endIndex
    }

    /// Returns where `}}` begins on this line.
    private static func endOfReference(_ bytes: FileBytes) -> Int? {
        // A line can have many references: only the bytes up to this end are looked at.
        let position = bytes.indices.dropLast().first {
            bytes[$0] == newline
                || bytes[$0] == UInt8(ascii: "}") && bytes[$0 + 1] == UInt8(ascii: "}")
        }
        return position.flatMap { bytes[$0] == newline ? nil : $0 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}
