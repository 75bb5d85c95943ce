internal import KeychainServices
internal import StrictJSON

/// A member of a JSON object, and where it is in a file. Its value is not copied, because it may be a secret.
struct JSONMember {
    /// An error and its line, starting at 1.
    struct Problem: Error {
        let line: Int
    }

    /// Where the name starts, with its quotes.
    let start: Int
    /// The name with its escapes resolved.
    let name: ByteString
    /// The value's range.
    let valueRange: Range<Int>

    /// Returns the members of a text that is a single object: a file, or a value in it.
    static func all(in text: FileBytes) throws(Problem) -> [JSONMember] {
        var members: [JSONMember] = []
        var end = text.startIndex
        do throws(KeychainError) {
            try text.withBytes { bytes throws(KeychainError) in
                try JSONReader.read(bytes) { reader throws(KeychainError) in
                    defer { end += reader.offset }
                    try reader.readObject { name, reader throws(KeychainError) in
                        let start = members.last?.valueRange.upperBound ?? text.startIndex
                        let value = text.startIndex + reader.offset
                        try reader.skip()
                        members.append(
                            JSONMember(
                                start: text[start...].firstIndex(of: UInt8(ascii: "\"")) ?? start,
                                name: name, valueRange: value..<text.startIndex + reader.offset))
                    }
                }
            }
        } catch {
            let place = text[end...].firstIndex { !$0.isWhitespace } ?? text.endIndex
            throw Problem(line: text[..<place].count { $0 == 0x0A } + 1)
        }
        return members
    }

    /// Whether docker treats both names as equal: it ignores letter case.
    func isNamed(_ other: String) -> Bool {
        name.lowercasedASCII == ByteString(other).lowercasedASCII
    }
}
