package import LanyardSecrets

/// The position of a word or a value in .netrc.
package struct NetrcToken {
    /// With the quotation marks around it.
    package let range: Range<Int>
    let isQuoted: Bool
    package let line: Int
    /// Whether only white space precedes it on its line.
    let startsLine: Bool

    /// Without the quotation marks.
    package var inner: Range<Int> {
        isQuoted ? range.lowerBound + 1..<range.upperBound - 1 : range
    }

    /// Returns the value with escapes resolved.
    package func secret(in text: Span<UInt8>) -> Secret {
        guard isQuoted else {
            return Secret(copying: text.extracting(range))
        }
        var bytes = SecretBuilder(capacity: range.count)
        var index = inner.lowerBound
        while index < inner.upperBound {
            if text[index] == UInt8(ascii: "\\") {
                index += 1
                bytes.append(text[index].netrcEscape)
            } else {
                bytes.append(text[index])
            }
            index += 1
        }
        return bytes.finish()
    }

    package func text(in text: Span<UInt8>) -> ByteString {
        secret(in: text).withBytes { ByteString(copying: $0) }
    }
}

extension UInt8 {
    /// The byte that an escaped byte means.
    fileprivate var netrcEscape: UInt8 {
        switch self {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: self
        }
    }
}

/// Splits .netrc into words and values.
struct NetrcScanner {
    private(set) var position = 0
    private(set) var line = 1
    /// What is wrong first.
    private(set) var problem: KeychainError?
    private var isAtLineStart = true

    /// Notes an error.
    mutating func note(_ reason: String) {
        problem = problem ?? KeychainError(.decode, reason)
    }

    /// Returns the next word or value, nil at the end of the file.
    ///
    /// - Parameter isValue: Whether to expect a value, in which a `#` is an ordinary byte.
    mutating func next(in text: Span<UInt8>, isValue: Bool) -> NetrcToken? {
        // A byte order mark, which editors on Windows write.
        if position == 0, text.starts(with: "\u{FEFF}") {
            position = 3
        }
        while position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: "#"), isAtLineStart || !isValue {
                position = text.firstIndex(of: 0x0A, from: position) ?? text.count
            } else if byte.isWhitespace {
                skip(byte)
            } else {
                return token(in: text)
            }
        }
        return nil
    }

    /// Skips to the end of the next blank line, starting after the current line.
    mutating func skipMacro(in text: Span<UInt8>) {
        skipLine(in: text)
        while position < text.count {
            let start = position
            skipLine(in: text)
            if text.extracting(start..<position).withoutWhitespace.isEmpty {
                return
            }
        }
    }

    private mutating func skipLine(in text: Span<UInt8>) {
        if let end = text.firstIndex(of: 0x0A, from: position) {
            position = end
            skip(0x0A)
        } else {
            position = text.count
        }
    }

    private mutating func skip(_ byte: UInt8) {
        position += 1
        if byte == 0x0A {
            line += 1
            isAtLineStart = true
        }
    }

    private mutating func token(in text: Span<UInt8>) -> NetrcToken {
        let start = position
        let quotedEnd = text[start] == UInt8(ascii: "\"") ? quotedEnd(in: text) : nil
        position = quotedEnd ?? plainEnd(in: text)
        defer { isAtLineStart = false }
        return NetrcToken(
            range: start..<position, isQuoted: quotedEnd != nil, line: line,
            startsLine: isAtLineStart)
    }

    private func plainEnd(in text: Span<UInt8>) -> Int {
        var end = position
        while end < text.count, !text[end].isWhitespace {
            end += 1
        }
        return end
    }

    private mutating func quotedEnd(in text: Span<UInt8>) -> Int? {
        var end = position + 1
        while end < text.count, text[end] != 0x0A {
            if text[end] == UInt8(ascii: "\"") {
                return end + 1
            }
            let isEscape = text[end] == UInt8(ascii: "\\")
            let escapesSomething = end + 1 < text.count && text[end + 1] != 0x0A
            end += isEscape && escapesSomething ? 2 : 1
        }
        note("line \(line) has an unclosed quotation mark")
        return nil
    }
}
