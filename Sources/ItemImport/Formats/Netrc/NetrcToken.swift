internal import KeychainServices

/// The position of a word or a value in .netrc.
struct NetrcToken {
    /// With the quotation marks around it.
    let range: Range<Int>
    let isQuoted: Bool
    let line: Int
    /// Whether only white space precedes it on its line.
    let startsLine: Bool

    /// Without the quotation marks.
    var inner: Range<Int> {
        isQuoted ? range.lowerBound + 1..<range.upperBound - 1 : range
    }

    /// Returns the value with escapes resolved.
    func secret(in text: Span<UInt8>) -> Secret {
        guard isQuoted else {
            return Secret(copying: text.extracting(range))
        }
        var bytes = SecretBuilder(capacity: range.count)
        var index = inner.lowerBound
        while index < inner.upperBound {
            if text[index] == .backslash {
                index += 1
                bytes.append(text[index].netrcEscape)
            } else {
                bytes.append(text[index])
            }
            index += 1
        }
        return bytes.finish()
    }

    func text(in text: Span<UInt8>) -> ByteString {
        secret(in: text).withBytes { ByteString(copying: $0) }
    }
}

extension UInt8 {
    /// The byte that an escaped byte means.
    fileprivate var netrcEscape: UInt8 {
        switch self {
        case UInt8(ascii: "n"): .lineFeed
        case UInt8(ascii: "r"): .carriageReturn
        case UInt8(ascii: "t"): 0x09
        default: self
        }
    }
}

/// Splits .netrc into words and values.
struct NetrcScanner {
    private(set) var position = 0
    private(set) var line = 1
    private var isAtLineStart = true

    /// Returns the next word or value, nil at the end of the file.
    ///
    /// - Parameter isValue: Whether to expect a value, in which a `#` is an ordinary byte.
    mutating func next(
        in text: Span<UInt8>, isValue: Bool
    ) throws(KeychainError) -> NetrcToken? {
        while position < text.count {
            let byte = text[position]
            if byte == .numberSign, isAtLineStart || !isValue {
                position = text.firstIndex(of: .lineFeed, from: position) ?? text.count
            } else if byte.isWhitespace {
                skip(byte)
            } else {
                return try token(in: text)
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
            if text.extracting(start..<position).isBlank {
                return
            }
        }
    }

    private mutating func skipLine(in text: Span<UInt8>) {
        if let end = text.firstIndex(of: .lineFeed, from: position) {
            position = end
            skip(.lineFeed)
        } else {
            position = text.count
        }
    }

    private mutating func skip(_ byte: UInt8) {
        position += 1
        if byte == .lineFeed {
            line += 1
            isAtLineStart = true
        }
    }

    private mutating func token(in text: Span<UInt8>) throws(KeychainError) -> NetrcToken {
        let start = position
        let isQuoted = text[start] == .quotationMark
        position = isQuoted ? try quotedEnd(in: text) : plainEnd(in: text)
        defer { isAtLineStart = false }
        return NetrcToken(
            range: start..<position, isQuoted: isQuoted, line: line, startsLine: isAtLineStart)
    }

    private func plainEnd(in text: Span<UInt8>) -> Int {
        var end = position
        while end < text.count, !text[end].isWhitespace {
            end += 1
        }
        return end
    }

    private func quotedEnd(in text: Span<UInt8>) throws(KeychainError) -> Int {
        var end = position + 1
        while end < text.count, text[end] != .lineFeed {
            if text[end] == .quotationMark {
                return end + 1
            }
            let isEscape = text[end] == .backslash
            let escapesSomething = end + 1 < text.count && text[end + 1] != .lineFeed
            end += isEscape && escapesSomething ? 2 : 1
        }
        throw KeychainError(.decode, "line \(line) has an unclosed quotation mark")
    }
}
