public import LanyardSecrets

/// Reads one JSON text, byte by byte and strictly by RFC 8259.
///
/// Beyond the grammar, it refuses a byte order mark, two members of an object with one name, half a
/// surrogate pair, invalid UTF-8, and nesting deeper than the caller allows. It skips a value that
/// the caller does not read, but still checks it. No string value ever becomes a `String`: it goes
/// from the text into a ``Secret``, which is wiped, or into a ``ByteString``.
///
/// Errors give the place as a number of bytes from the start, and never quote the text.
@safe  // Safe: `read` lends it out while the text is valid; a Span checks the bounds.
public struct JSONReader: ~Copyable {
    /// How to compare the names of an object's members.
    public enum Names: Sendable {
        /// Byte by byte, after decoding escapes.
        case exact
        /// Ignoring ASCII letter case. The caller gets names in lower case.
        case ignoringCase
    }

    /// The default limit of the nesting of arrays and objects.
    public static let usualDepth = 32

    let text: UnsafeBufferPointer<UInt8>
    let names: Names
    let depthLimit: Int
    var position = 0
    /// How many arrays and objects are around the next value.
    package internal(set) var depth = 0

    private init(_ text: UnsafeBufferPointer<UInt8>, _ names: Names, _ depthLimit: Int) {
        // Safe: `read` keeps the text valid as long as the reader.
        unsafe self.text = text
        self.names = names
        self.depthLimit = depthLimit
    }

    /// Reads a text with one value, and white space around it.
    ///
    /// - Parameters:
    ///   - limit: The most bytes that the text may have.
    ///   - names: How to compare the names of members.
    ///   - depth: The deepest nesting of arrays and objects.
    ///   - body: Reads the value.
    /// - Returns: What the closure returns.
    /// - Throws: ``Status/decode`` for an invalid or unexpected text, ``Status/dataTooLarge``
    ///   beyond the limit, what the closure throws.
    public static func read<Result: ~Copyable>(
        _ text: Span<UInt8>, limit: Int = .max, names: Names = .exact, depth: Int = usualDepth,
        _ body: (inout JSONReader) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        guard text.count <= limit else {
            throw KeychainError(.dataTooLarge, "the JSON text is longer than \(limit) bytes")
        }
        guard !text.starts(with: "\u{FEFF}") else {
            throw .invalidJSON("it begins with a byte order mark", at: 0)
        }
        // Safe: the reader exists only in the closure, which lends it out.
        return try unsafe text.withUnsafeBufferPointer { text throws(KeychainError) in
            var reader = unsafe JSONReader(text, names, depth)
            reader.skipWhitespace()
            let start = reader.position
            let result = try body(&reader)
            try reader.skipUnlessRead(from: start)
            reader.skipWhitespace()
            guard reader.nextByte == nil else {
                throw reader.invalid("unexpected text after the value")
            }
            return result
        }
    }

    /// Reads a text that is one object, as ``read(_:limit:names:depth:_:)`` and ``readObject(_:)`` do.
    public static func readObject(
        _ text: Span<UInt8>, limit: Int = .max, names: Names = .exact,
        _ body: (ByteString, inout JSONReader) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try read(text, limit: limit, names: names) { reader throws(KeychainError) in
            try reader.readObject(body)
        }
    }

    /// Reads a confidential text that is one object.
    public static func readObject(
        _ text: borrowing Secret, limit: Int = .max, names: Names = .exact,
        _ body: (ByteString, inout JSONReader) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try text.withBytes { text throws(KeychainError) in
            try readObject(text, limit: limit, names: names, body)
        }
    }

    /// The number of bytes read so far: the next value's start or, after reading one, its end.
    public var offset: Int { position }

    /// Goes back to a value at an offset, of the same object or array.
    ///
    /// - Parameter depth: How many arrays and objects are around it.
    package mutating func goBack(to offset: Int, depth: Int) {
        position = offset
        self.depth = depth
    }

    /// The kind of the next value.
    ///
    /// - Throws: ``Status/decode`` if there is none.
    public var kind: JSONKind {
        get throws(KeychainError) {
            guard let byte = nextByte else {
                throw invalid("missing value")
            }
            guard let kind = JSONKind(firstByte: byte) else {
                throw invalid("expected a value")
            }
            return kind
        }
    }

    /// Skips a value if the caller has read none since a position.
    mutating func skipUnlessRead(from start: Int) throws(KeychainError) {
        if position == start {
            try skip()
        }
    }

    /// The byte at the position, nil at the end.
    var nextByte: UInt8? { byte(at: position) }

    func byte(at index: Int) -> UInt8? {
        // Safe: the text is valid as long as the reader.
        let bytes = unsafe Span(_unsafeElements: text)
        return index < bytes.count ? bytes[index] : nil
    }

    mutating func skipWhitespace() {
        while advance(past: 0x20) || advance(past: 0x0A) || advance(past: 0x0D)
            || advance(past: 0x09)
        {}
    }

    /// Skips a byte if it is the next one.
    mutating func advance(past byte: UInt8) -> Bool {
        guard nextByte == byte else {
            return false
        }
        position += 1
        return true
    }

    /// Returns the error for a text that violates the grammar.
    func invalid(_ what: StaticString, at place: Int? = nil) -> KeychainError {
        .invalidJSON(what, at: place ?? position)
    }

    /// Returns the error for an unexpected value.
    func unexpected(_ what: StaticString) -> KeychainError {
        KeychainError(.decode, "unexpected JSON at byte \(position): \(what)")
    }
}

extension KeychainError {
    static func invalidJSON(_ what: StaticString, at position: Int) -> KeychainError {
        KeychainError(.decode, "invalid JSON at byte \(position): \(what)")
    }
}
