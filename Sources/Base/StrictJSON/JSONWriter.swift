public import LanyardSecrets

/// Writes one JSON text and a line feed, without white space, with members in the order of writing.
///
/// It can pass on a long text in pieces, which are never in memory all at once. The caller must not
/// write an object's member twice.
public struct JSONWriter: ~Copyable {
    /// The handling of text that is not UTF-8, which JSON can't represent.
    public enum InvalidText: Sendable {
        /// Refuse it with ``Status/decode``.
        case refuse
        /// Write each byte that is not part of a character as U+FFFD.
        case replace
    }

    /// The position in the text, which decides what may be written next.
    private enum Place {
        case value
        case member
        case nothing
    }

    /// The size in bytes from which a piece is passed on.
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
    /// - Returns: The text, with a line feed at its end.
    /// - Throws: ``Status/decode`` for refused text that is not UTF-8, what the closure throws.
    public static func write(
        invalidText: InvalidText = .refuse,
        _ body: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Secret {
        var writer = JSONWriter(invalidText, nil)
        try body(&writer)
        return writer.takePiece()
    }

    /// Writes a text that is one object into memory, as ``write(invalidText:_:)`` does.
    ///
    /// - Parameter members: Writes the object's members.
    public static func writeObject(
        invalidText: InvalidText = .refuse,
        _ members: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Secret {
        try write(invalidText: invalidText) { writer throws(KeychainError) in
            try writer.writeObject(members)
        }
    }

    /// Writes a text to a closure, piece by piece. If it throws, some pieces may be written
    /// already.
    ///
    /// - Parameters:
    ///   - output: Takes a piece of the text.
    ///   - body: Writes exactly one value.
    /// - Throws: ``Status/decode`` for refused text that is not UTF-8, what the closures throw.
    public static func write(
        invalidText: InvalidText = .refuse,
        to output: @escaping (borrowing Secret) throws(KeychainError) -> Void,
        _ body: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var writer = JSONWriter(invalidText, output)
        try body(&writer)
        try output(writer.takePiece())
    }

    /// Returns the rest of the text, with the line feed that ends it.
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

    /// Writes the separator that a value needs before it.
    mutating func beginValue() {
        precondition(place == .value, "a value belongs in an array or after a member's name")
        if isInArray, !isFirst {
            piece.append(UInt8(ascii: ","))
        }
    }

    /// Records that a value has been written, and passes on a piece that is large enough.
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
        precondition(place == .member, "a member belongs in an object")
        if !isFirst {
            piece.append(UInt8(ascii: ","))
        }
        try appendString(name.bytes.span)
        piece.append(UInt8(ascii: ":"))
        place = .value
        try value(&self)
        precondition(place == .nothing, "a member has exactly one value")
        place = .member
    }
}
