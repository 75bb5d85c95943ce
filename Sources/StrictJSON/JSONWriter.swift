public import Secrets

/// Writes one JSON text and a line feed, without white space, members in the order in which they are
/// written.
///
/// A long text can be handed on in pieces, so that it never stands in memory as a whole. Whether the
/// names of an object's members differ is the caller's part.
public struct JSONWriter: ~Copyable {
    /// What becomes of a text that is not UTF-8, which JSON has no form for.
    public enum InvalidText: Sendable {
        /// It is refused with ``Status/decode``.
        case refuse
        /// Each byte that is not part of a character is written as U+FFFD.
        case replace
    }

    /// What may be written next.
    private enum Place {
        case value
        case member
        case nothing
    }

    /// From how many bytes on a piece is handed on.
    static let pieceSize = 32 << 10

    let invalidText: InvalidText
    private let output: ((borrowing Secret) throws(KeychainError) -> Void)?
    var piece = SecretBuilder()
    private var place = Place.value
    private var isFirst = true
    private var isInArray = false

    private init(
        _ invalidText: InvalidText,
        _ output: ((borrowing Secret) throws(KeychainError) -> Void)?
    ) {
        self.invalidText = invalidText
        self.output = output
    }

    /// Writes a text into memory.
    ///
    /// - Parameter body: Writes exactly one value.
    /// - Returns: The text, a line feed at its end.
    /// - Throws: ``Status/decode`` for text that is not UTF-8 and is to be refused, what the closure
    ///   throws.
    public static func write(
        invalidText: InvalidText = .refuse,
        _ body: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Secret {
        var writer = JSONWriter(invalidText, nil)
        try body(&writer)
        return writer.takePiece()
    }

    /// Writes a text to where a closure puts it, piece by piece. If it throws, some pieces may have
    /// been put there.
    ///
    /// - Parameters:
    ///   - output: Takes a piece of the text.
    ///   - body: Writes exactly one value.
    /// - Throws: ``Status/decode`` for text that is not UTF-8 and is to be refused, what the closures
    ///   throw.
    public static func write(
        invalidText: InvalidText = .refuse,
        to output: @escaping (borrowing Secret) throws(KeychainError) -> Void,
        _ body: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var writer = JSONWriter(invalidText, output)
        try body(&writer)
        try output(writer.takePiece())
    }

    /// What is left, with the line feed that ends the text.
    private mutating func takePiece() -> Secret {
        precondition(place == .nothing, "a JSON text is exactly one value")
        piece.append(UInt8(ascii: "\n"))
        return takeWritten()
    }

    private mutating func takeWritten() -> Secret {
        var written = SecretBuilder(capacity: output == nil ? 16 : JSONWriter.pieceSize)
        swap(&written, &piece)
        return written.finish()
    }

    /// Writes what has to stand before a value.
    mutating func beginValue() {
        precondition(place == .value, "a value stands in an array or behind a member's name")
        if isInArray, !isFirst {
            piece.append(UInt8(ascii: ","))
        }
    }

    /// Notes that a value has been written, and hands a piece on if it is large enough.
    mutating func endValue() throws(KeychainError) {
        isFirst = false
        if !isInArray {
            place = .nothing
        }
        if let output, piece.count >= JSONWriter.pieceSize {
            try output(takeWritten())
        }
    }

    /// Writes an object whose members a closure writes.
    public mutating func writeObject(
        _ members: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try writeContainer("{", "}", .member, isArray: false, members)
    }

    /// Writes an array whose elements a closure writes.
    public mutating func writeArray(
        _ elements: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try writeContainer("[", "]", .value, isArray: true, elements)
    }

    private mutating func writeContainer(
        _ start: StaticString, _ end: StaticString, _ place: Place, isArray: Bool,
        _ contents: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        beginValue()
        piece.append(start)
        let wasInArray = isInArray
        isInArray = isArray
        isFirst = true
        self.place = place
        try contents(&self)
        isInArray = wasInArray
        self.place = .value
        piece.append(end)
        try endValue()
    }

    /// Writes a member of an object: its name, and the value that a closure writes.
    public mutating func member(
        _ name: ByteString, _ value: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try beginMember(name)
        try value(&self)
        endMember()
    }

    /// Writes a member's name.
    mutating func beginMember(_ name: ByteString) throws(KeychainError) {
        precondition(place == .member, "a member stands in an object")
        if !isFirst {
            piece.append(UInt8(ascii: ","))
        }
        try appendString(name.bytes.span)
        piece.append(UInt8(ascii: ":"))
        place = .value
    }

    /// Notes that a member's value has been written.
    mutating func endMember() {
        precondition(place == .nothing, "a member has exactly one value")
        place = .member
    }
}
