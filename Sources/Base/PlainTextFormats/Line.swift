internal import LanyardSecrets

/// The position of a line in a file.
package struct Line: Sendable {
    /// From 1 on.
    package let number: Int
    /// Without the line feed at its end.
    package let range: Range<Int>
    /// With the line feed.
    package let whole: Range<Int>
}

/// Goes from line to line. A line feed at the end of the file starts no further line.
package struct LineScanner {
    /// The start of the next line.
    package private(set) var position = 0
    private var number = 0

    /// Starts at the first line.
    package init() {}

    /// Returns the next line, nil at the end.
    package mutating func next(in text: Span<UInt8>) -> Line? {
        guard position < text.count else {
            return nil
        }
        let start = position
        let end = text.firstIndex(of: 0x0A, from: start) ?? text.count
        position = min(end + 1, text.count)
        number += 1
        return Line(number: number, range: start..<end, whole: start..<position)
    }
}
