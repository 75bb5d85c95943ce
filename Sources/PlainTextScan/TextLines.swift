internal import Secrets

/// The lines of a text, without line feeds and carriage returns.
enum TextLines {
    /// Passes each line and its number from 1 to a closure.
    static func forEach(in text: Span<UInt8>, _ body: (Span<UInt8>, Int) -> Void) {
        var start = 0
        var number = 1
        while start < text.count {
            var end = start
            while end < text.count, text[end] != 0x0A {
                end += 1
            }
            let isReturn = end > start && text[end - 1] == 0x0D
            body(text.extracting(start..<(isReturn ? end - 1 : end)), number)
            start = end + 1
            number += 1
        }
    }
}

extension Span where Element == UInt8 {
    /// The bytes between blanks at both ends.
    var trimmed: Range<Int> { trimmed(indices) }

    /// Returns a part without blanks at both ends.
    func trimmed(_ part: Range<Int>) -> Range<Int> {
        var start = part.lowerBound
        var end = part.upperBound
        while start < end, self[start].isBlank {
            start += 1
        }
        while end > start, self[end - 1].isBlank {
            end -= 1
        }
        return start..<end
    }

    /// Returns a value without blanks and the quotation marks around it.
    func unquoted(_ part: Range<Int>) -> Range<Int> {
        let part = trimmed(part)
        guard let quote = part.first.map({ self[$0] }),
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else {
            return part
        }
        let start = part.lowerBound + 1
        var end = start
        while end < part.upperBound, self[end] != quote {
            end += self[end] == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
        }
        return start..<Swift.min(end, part.upperBound)
    }

    /// Returns the part from an index up to a quotation mark or an angle bracket.
    func delimited(from start: Int) -> Range<Int> {
        var end = start
        while end < count, self[end] != UInt8(ascii: "\""), self[end] != UInt8(ascii: "<") {
            end += 1
        }
        return start..<end
    }

    /// Returns the start of the first occurrence of a text, nil if it is missing.
    func first(_ text: String) -> Int? {
        let text = Array(text.utf8)
        var start = 0
        while start + text.count <= count {
            if text.indices.allSatisfy({ self[start + $0] == text[$0] }) {
                return start
            }
            start += 1
        }
        return nil
    }

    /// The bytes as a string: for names, never for secrets.
    var name: String {
        var bytes: [UInt8] = []
        for index in indices {
            bytes.append(self[index])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether it is a space or a tab.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
