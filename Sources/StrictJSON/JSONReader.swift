public import Secrets

/// Reads one JSON text, byte by byte and to the letter of RFC 8259.
///
/// Refused beyond the grammar are a byte order mark, two members of an object with one name, half a
/// surrogate pair, bytes that are not UTF-8, and nesting deeper than the caller allows. A value
/// that the caller does not read is skipped, and checked all the same. No string value ever becomes
/// a `String`: it goes from the text into a ``Secret``, which is wiped, or into a ``ByteString``.
///
/// Errors tell the place as a number of bytes from the start, never anything of the text.
@safe  // Safe: `read` lends it out while the text is valid; a Span checks the bounds.
public struct JSONReader: ~Copyable {
    /// How the names of an object's members are compared.
    public enum Names: Sendable {
        /// Byte by byte, after escapes are resolved.
        case exact
        /// Without the letter case of ASCII. The caller gets names in small letters.
        case ignoringCase
    }

    /// How deep arrays and objects may stand in one another where the caller does not say.
    public static let usualDepth = 32

    let text: UnsafeBufferPointer<UInt8>
    let names: Names
    let depthLimit: Int
    var position = 0
    var depth = 0

    private init(_ text: UnsafeBufferPointer<UInt8>, _ names: Names, _ depthLimit: Int) {
        // Safe: `read` keeps the text valid as long as the reader.
        unsafe self.text = text
        self.names = names
        self.depthLimit = depthLimit
    }

    /// Reads a text that is one value, with white space around it.
    ///
    /// - Parameters:
    ///   - limit: How many bytes the text may have.
    ///   - names: How the names of members are compared.
    ///   - depth: How deep arrays and objects may stand in one another.
    ///   - body: Reads the value.
    /// - Returns: What the closure returns.
    /// - Throws: ``Status/decode`` for a text that is not valid or not what is read,
    ///   ``Status/dataTooLarge`` beyond the limit, what the closure throws.
    public static func read<Result: ~Copyable>(
        _ text: Span<UInt8>, limit: Int, names: Names = .exact, depth: Int = usualDepth,
        _ body: (inout JSONReader) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        guard text.count <= limit else {
            throw KeychainError(.dataTooLarge, "the JSON text is longer than \(limit) bytes")
        }
        // Safe: the reader lives in the closure alone, which lends it out.
        return try unsafe text.withUnsafeBufferPointer { text throws(KeychainError) in
            var reader = unsafe JSONReader(text, names, depth)
            reader.skipWhitespace()
            let start = reader.position
            let result = try body(&reader)
            try reader.skipUnlessRead(from: start)
            reader.skipWhitespace()
            guard reader.nextByte == nil else {
                throw reader.invalid("there is something after its end")
            }
            return result
        }
    }

    /// How many bytes of the text lie behind: where the next value begins, and, when one was just
    /// read, where it has ended.
    public var offset: Int { position }

    /// What kind of value comes next.
    ///
    /// - Throws: ``Status/decode`` if none does.
    public var kind: JSONKind {
        get throws(KeychainError) {
            guard let byte = nextByte else {
                throw invalid("a value is missing at its end")
            }
            guard let kind = JSONKind(firstByte: byte) else {
                throw invalid("a value is expected")
            }
            return kind
        }
    }

    /// Skips a value if none was read since a position.
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

    /// Goes past a byte if it is the next one.
    mutating func advance(past byte: UInt8) -> Bool {
        guard nextByte == byte else {
            return false
        }
        position += 1
        return true
    }

    /// The error of a text that breaks the grammar.
    func invalid(_ what: StaticString, at place: Int? = nil) -> KeychainError {
        .invalidJSON(what, at: place ?? position)
    }

    /// The error of a value that is not the one expected.
    func unexpected(_ what: StaticString) -> KeychainError {
        KeychainError(.decode, "unexpected JSON at byte \(position): \(what)")
    }
}

extension KeychainError {
    static func invalidJSON(_ what: StaticString, at position: Int) -> KeychainError {
        KeychainError(.decode, "invalid JSON at byte \(position): \(what)")
    }
}
