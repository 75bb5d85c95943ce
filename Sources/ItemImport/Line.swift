internal import KeychainServices

/// The position of a line in a file.
struct Line {
    /// From 1 on.
    let number: Int
    /// Without the line feed at its end.
    let range: Range<Int>
    /// With the line feed.
    let whole: Range<Int>
}

/// Goes from line to line. A line feed at the end of the file starts no further line.
struct LineScanner {
    private(set) var position = 0
    private var number = 0

    mutating func next(in text: Span<UInt8>) -> Line? {
        guard position < text.count else {
            return nil
        }
        let start = position
        let end = text.firstIndex(of: .lineFeed, from: start) ?? text.count
        position = min(end + 1, text.count)
        number += 1
        return Line(number: number, range: start..<end, whole: start..<position)
    }
}
