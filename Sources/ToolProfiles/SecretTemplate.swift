package import KeychainServices

/// A text with references to secrets in double braces: `{{ lanyard:stripe/live }}`. Other texts in double
/// braces are not ours and stay.
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
    /// - Parameter firstLine: The number of its first line, for errors.
    /// - Throws: ``Status/param`` for an invalid reference, or one without its end on the same line.
    package init(_ bytes: FileBytes, firstLine: Int = 1) throws(KeychainError) {
        var text = bytes.startIndex
        var position = text
        var line = firstLine
        while position < bytes.endIndex {
            guard let start = SecretTemplate.startOfReference(bytes[position...]) else {
                line += bytes[position] == SecretTemplate.newline ? 1 : 0
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
        }
        pieces += SecretTemplate(text: bytes[text...]).pieces
    }

    /// Whether it contains a reference.
    package var hasReferences: Bool {
        pieces.contains { if case .reference = $0 { true } else { false } }
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
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
