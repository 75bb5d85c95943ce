internal import KeychainServices

/// The position of a field in comma-separated values.
struct CSVField {
    /// Without the quotation marks around it.
    let range: Range<Int>
    /// The character before quotation marks that belong to the value; nil if it has none.
    let escape: UInt8?

    func secret(in text: Span<UInt8>) -> Secret {
        guard let escape else {
            return Secret(copying: text.extracting(range))
        }
        var bytes = SecretBuilder(capacity: range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            if text[index] == escape {
                index += 1
            }
            bytes.append(text[index])
            index += 1
        }
        return bytes.finish()
    }

    func text(in text: Span<UInt8>) -> ByteString {
        secret(in: text).withBytes { ByteString(copying: $0) }
    }
}

struct CSVRow {
    /// The number of the line that it starts on, from 1 on.
    let line: Int
    /// The first fields, at most ``CSVScanner/fieldLimit``.
    var fields: [CSVField] = []
    /// The number of fields.
    var count = 0
    /// Whether text follows the closing quotation mark of a field, or an unknown escape is in one.
    var isMalformed = false

    mutating func append(_ field: CSVField) {
        count += 1
        if fields.count < CSVScanner.fieldLimit {
            fields.append(field)
        }
    }
}

/// Splits comma-separated values, or those with another separator, into rows: RFC 4180, section 2.
struct CSVScanner {
    /// Limits how many fields of a row are read.
    static let fieldLimit = 1_024

    private var position = 0
    private var line = 1
    /// Ends a field.
    private let separator: UInt8
    /// What precedes a quotation mark within a field: another one, or a backslash, which also precedes itself.
    var escape = UInt8.quotationMark
    /// Whether a blank follows each separator and belongs to it.
    private var hasBlanks = false

    /// Scans a text after its byte order mark and a line `sep=`, as spreadsheets write it, if any.
    init(_ text: Span<UInt8>, separator: UInt8 = .comma) {
        position = text.starts(with: "\u{FEFF}") ? 3 : 0
        let rest = text.extracting(droppingFirst: position)
        let end = rest.firstIndex(of: .lineFeed) ?? rest.count
        let isReturn = end == 6 && rest[5] == .carriageReturn
        if end == 5 || isReturn, rest.extracting(0..<4).equalsIgnoringCase("sep=") {
            self.separator = rest[4]
            position += min(end + 1, rest.count)
            line = 2
        } else {
            self.separator = separator
        }
        hasBlanks = hasBlankAfterEachSeparator(text)
    }

    /// Whether all fields of the first row but the first begin with a blank: the values do so, too, then.
    private func hasBlankAfterEachSeparator(_ text: Span<UInt8>) -> Bool {
        var end = position
        var hasSeparator = false
        while end < text.count, text[end] != .lineFeed {
            if text[end] == separator {
                hasSeparator = true
                guard end + 1 < text.count, text[end + 1] == .space else {
                    return false
                }
            }
            end += 1
        }
        return hasSeparator
    }

    /// Returns the next row that is not blank, nil at the end.
    ///
    /// - Throws: ``Status/decode`` for an unterminated quotation mark.
    mutating func next(in text: Span<UInt8>) throws(KeychainError) -> CSVRow? {
        while position < text.count {
            let start = position
            let row = try row(in: text)
            if !text.extracting(start..<position).isBlank {
                return row
            }
        }
        return nil
    }

    private mutating func row(in text: Span<UInt8>) throws(KeychainError) -> CSVRow {
        var row = CSVRow(line: line)
        while true {
            let isQuoted = position < text.count && text[position] == .quotationMark
            row.append(
                isQuoted ? try quotedField(in: text, &row.isMalformed) : plainField(in: text))
            let end = position
            skipToEndOfField(in: text)
            row.isMalformed = row.isMalformed || !text.extracting(end..<position).isBlank
            guard position < text.count else {
                return row
            }
            let isEnd = text[position] == .lineFeed
            position += 1
            if isEnd {
                line += 1
                return row
            }
            if hasBlanks, position < text.count, text[position] == .space {
                position += 1
            }
        }
    }

    /// Reads an unquoted field; quotation marks within it are ordinary bytes.
    private mutating func plainField(in text: Span<UInt8>) -> CSVField {
        let start = position
        skipToEndOfField(in: text)
        var end = position
        let endsRow = end == text.count || text[end] == .lineFeed
        if endsRow, end > start, text[end - 1] == .carriageReturn {
            end -= 1
        }
        return CSVField(range: start..<end, escape: nil)
    }

    private mutating func quotedField(
        in text: Span<UInt8>, _ isMalformed: inout Bool
    ) throws(KeychainError) -> CSVField {
        let firstLine = line
        let start = position + 1
        var hasEscapes = false
        var index = start
        while index < text.count {
            let isNext =
                index + 1 < text.count && [.quotationMark, escape].contains(text[index + 1])
            if text[index] == escape, isNext {
                hasEscapes = true
                index += 1
            } else if text[index] == .quotationMark {
                position = index + 1
                return CSVField(range: start..<index, escape: hasEscapes ? escape : nil)
            } else if text[index] == escape {
                isMalformed = true
            } else if text[index] == .lineFeed {
                line += 1
            }
            index += 1
        }
        throw KeychainError(
            .decode, "line \(firstLine) has an unclosed quotation mark")
    }

    private mutating func skipToEndOfField(in text: Span<UInt8>) {
        while position < text.count, text[position] != separator, text[position] != .lineFeed {
            position += 1
        }
    }
}
