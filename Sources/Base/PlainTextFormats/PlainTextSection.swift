package import LanyardSecrets

/// A section of INI, or a table of TOML with a header: its name and its lines with the header.
package struct PlainTextSection {
    /// What the brackets have between them.
    package let brackets: Range<Int>
    /// The name with its quotation marks.
    package let nameRange: Range<Int>
    /// The name in the brackets.
    package let name: ByteString
    /// Whether two brackets are around the name: it is an element of a list.
    package let isElement: Bool
    /// The line of its header, from 1.
    package let line: Int
    /// All of it, and the blank lines after it. Comments below its last line are about the next section.
    package internal(set) var range: Range<Int>

    /// Creates a section of its header alone.
    ///
    /// - Parameters:
    ///   - header: The brackets, and what is between them.
    ///   - end: The end of what is between them.
    init(_ text: Span<UInt8>, header: Range<Int>, end: Int, line: Int, whole: Range<Int>) {
        var start = header.lowerBound
        while start < header.upperBound, text[start] == UInt8(ascii: "[") {
            start += 1
        }
        brackets = start..<max(start, end)
        nameRange = text.withoutBlanks(brackets)
        name = text.withoutQuotes(nameRange)
        isElement = start > header.lowerBound + 1
        self.line = line
        range = whole
    }
}

extension Span where Element == UInt8 {
    /// Returns a range of text without one pair of quotes around it.
    func withoutQuotes(_ range: Range<Int>) -> ByteString {
        let isQuoted =
            range.count >= 2 && self[range.lowerBound] == self[range.upperBound - 1]
            && [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(self[range.lowerBound])
        return ByteString(
            copying: extracting(
                isQuoted ? range.lowerBound + 1..<range.upperBound - 1 : range))
    }
}
