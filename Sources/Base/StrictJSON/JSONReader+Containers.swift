public import LanyardSecrets

extension JSONReader {
    /// Reads an object.
    ///
    /// - Parameter body: Called for each member with its name, in the order of the text; reads the
    ///   value, or leaves it to be skipped. Names are in lower case if case is ignored.
    /// - Throws: ``Status/decode`` if the next value is not a valid object, what the closure
    ///   throws.
    public mutating func readObject(
        _ body: (ByteString, inout JSONReader) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard try kind == .object else {
            throw unexpected("expected an object")
        }
        var seen: Set<ByteString> = []
        try readContainer(end: UInt8(ascii: "}"), missing: "expected ',' or '}'") {
            reader throws(KeychainError) in
            let name = try reader.readName(&seen)
            let start = reader.position
            try body(name, &reader)
            try reader.skipUnlessRead(from: start)
        }
    }

    /// Reads an array.
    ///
    /// - Parameter body: Called for each element; reads the value, or leaves it to be skipped.
    /// - Throws: ``Status/decode`` if the next value is not a valid array, what the closure throws.
    public mutating func readArray(
        _ body: (inout JSONReader) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard try kind == .array else {
            throw unexpected("expected an array")
        }
        try readContainer(end: UInt8(ascii: "]"), missing: "expected ',' or ']'") {
            reader throws(KeychainError) in
            let start = reader.position
            try body(&reader)
            try reader.skipUnlessRead(from: start)
        }
    }

    /// Checks and skips a value of any kind.
    ///
    /// - Throws: ``Status/decode`` if it is invalid.
    public mutating func skip() throws(KeychainError) {
        switch try kind {
        case .object: try readObject { _, _ in }
        case .array: try readArray { _ in }
        case .string: _ = try scanString()
        case .number: _ = try scanNumber()
        case .bool: _ = try readBool()
        case .null: _ = try readNull()
        }
    }

    /// Reads from the opening bracket to the end of the closing one.
    private mutating func readContainer(
        end: UInt8, missing: StaticString,
        _ element: (inout JSONReader) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard depth < depthLimit else {
            throw invalid("nested too deeply")
        }
        depth += 1
        position += 1
        skipWhitespace()
        var isAtEnd = advance(past: end)
        while !isAtEnd {
            try element(&self)
            skipWhitespace()
            isAtEnd = advance(past: end)
            if !isAtEnd {
                guard advance(past: UInt8(ascii: ",")) else {
                    throw invalid(missing)
                }
                skipWhitespace()
            }
        }
        depth -= 1
    }

    /// Reads a member's name, up to its value.
    private mutating func readName(
        _ seen: inout Set<ByteString>
    ) throws(KeychainError) -> ByteString {
        let start = position
        guard nextByte == UInt8(ascii: "\"") else {
            throw invalid("expected a member's name")
        }
        var name = try readText()
        if names == .ignoringCase {
            name = name.lowercasedASCII
        }
        guard seen.insert(name).inserted else {
            throw invalid("duplicate name in an object", at: start)
        }
        skipWhitespace()
        guard advance(past: UInt8(ascii: ":")) else {
            throw invalid("expected ':'")
        }
        skipWhitespace()
        return name
    }
}
