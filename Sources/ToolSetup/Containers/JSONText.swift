internal import KeychainServices

/// Reads a JSON value in place: it locates the parts and decodes only names, which avoids copies of
/// secrets. The grammar is that of RFC 8259; bytes in strings need not be UTF-8.
struct JSONText {
    /// One name and its value in an object.
    struct Member {
        /// The name's range, with its quotes.
        let nameRange: Range<Int>
        /// The name with its escapes resolved.
        let name: ByteString
        /// The value's range.
        let valueRange: Range<Int>
    }

    /// An error and its line, starting at 1.
    struct Problem: Error {
        let line: Int
    }

    private let bytes: FileBytes
    private var position: Int

    private init(_ bytes: FileBytes, at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// Returns the members of a text that is a single object.
    static func members(_ bytes: FileBytes) throws(Problem) -> [Member] {
        var text = JSONText(bytes, at: 0)
        text.skipSpace()
        let members = try text.object(depth: 0)
        text.skipSpace()
        guard text.position == bytes.count else {
            throw text.problem
        }
        return members
    }

    /// Returns the members of a value within a text, nil unless it is an object.
    static func members(_ bytes: FileBytes, at range: Range<Int>) -> [Member]? {
        guard bytes[range.lowerBound] == UInt8(ascii: "{") else {
            return nil
        }
        var text = JSONText(bytes, at: range.lowerBound)
        return try? text.object(depth: 0)
    }

    private var problem: Problem {
        Problem(line: bytes[..<min(position, bytes.count)].count { $0 == 0x0A } + 1)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            position += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) throws(Problem) {
        guard next == UInt8(ascii: character) else {
            throw problem
        }
        position += 1
    }

    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        (try? take(character)) != nil
    }

    private mutating func object(depth: Int) throws(Problem) -> [Member] {
        try take("{")
        skipSpace()
        var members: [Member] = []
        guard !takes("}") else {
            return members
        }
        repeat {
            skipSpace()
            let start = position
            var name: [UInt8] = []
            try string { name.append($0) }
            let nameRange = start..<position
            skipSpace()
            try take(":")
            skipSpace()
            let valueStart = position
            try value(depth: depth + 1)
            members.append(
                Member(
                    nameRange: nameRange, name: ByteString(name),
                    valueRange: valueStart..<position))
            skipSpace()
        } while takes(",")
        try take("}")
        return members
    }

    private mutating func value(depth: Int) throws(Problem) {
        // Deep enough for any real file, and shallow enough for the stack.
        guard depth <= 500 else {
            throw problem
        }
        switch next {
        case UInt8(ascii: "{"): _ = try object(depth: depth)
        case UInt8(ascii: "["): try array(depth: depth)
        case UInt8(ascii: "\""): try string { _ in }
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    private mutating func array(depth: Int) throws(Problem) {
        try take("[")
        skipSpace()
        guard !takes("]") else {
            return
        }
        repeat {
            skipSpace()
            try value(depth: depth + 1)
            skipSpace()
        } while takes(",")
        try take("]")
    }

    private mutating func word(_ word: String) throws(Problem) {
        for character in word.unicodeScalars {
            try take(character)
        }
    }

    private mutating func number() throws(Problem) {
        _ = takes("-")
        if !takes("0") {
            try digits()
        }
        if takes(".") {
            try digits()
        }
        if takes("e") || takes("E") {
            if !takes("+") {
                _ = takes("-")
            }
            try digits()
        }
    }

    private mutating func digits() throws(Problem) {
        let start = position
        while let byte = next, byte.isDigit {
            position += 1
        }
        guard position > start else {
            throw problem
        }
    }
}

extension JSONText {
    /// Passes the bytes of a string to a closure, with its escapes resolved.
    fileprivate mutating func string(_ emit: (UInt8) -> Void) throws(Problem) {
        try take("\"")
        while let byte = next, byte >= 0x20 {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try escape().forEach(emit)
            default: emit(byte)
            }
        }
        throw problem
    }

    private mutating func escape() throws(Problem) -> [UInt8] {
        guard let byte = next else {
            throw problem
        }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            var number: UInt32 = 0
            for _ in 0..<4 {
                guard let next, let digit = Character(UnicodeScalar(next)).hexDigitValue else {
                    throw problem
                }
                number = number << 4 | UInt32(digit)
                position += 1
            }
            // Half of a surrogate pair is not a character; no relevant name has one.
            return Array(String(UnicodeScalar(number) ?? "\u{FFFD}").utf8)
        default: throw problem
        }
    }
}
