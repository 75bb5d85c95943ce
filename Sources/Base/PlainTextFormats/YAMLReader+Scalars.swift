internal import LanyardSecrets

// Single values: plain, in quotation marks, in blocks of lines.
extension YAMLReader {
    /// Reads a plain value or one in quotation marks, or a reference to an anchor.
    ///
    /// - Parameters:
    ///   - parent: The column that further lines are deeper than.
    ///   - start: The position of its tag.
    mutating func scalar(in parent: Int, _ start: Int) throws(Failure) -> YAMLNode {
        let (begin, firstLine) = (place, line)
        switch byte() {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let (value, isVerbatim) = try quoted()
            lastLine = line
            let end = place
            if !isInFlow {
                try checkLineEnds()
            }
            return YAMLNode(
                content: .scalar(value, isVerbatim: isVerbatim), range: begin + 1..<end - 1,
                whole: start..<end, line: firstLine)
        case UInt8(ascii: "*"):
            _ = property()
            let end = place
            if !isInFlow {
                try checkLineEnds()
            }
            return YAMLNode(
                content: .empty, range: begin..<end, whole: start..<end, isUnread: true,
                line: firstLine)
        default: return try plain(in: parent, start)
        }
    }

    // MARK: Plain

    private mutating func plain(in parent: Int, _ start: Int) throws(Failure) -> YAMLNode {
        let (begin, firstLine) = (place, line)
        guard let first = byte(), !"&*!|>%@`#,[]{}".utf8.contains(first) else {
            throw other()
        }
        guard !"-?:".utf8.contains(first) || !isSpace(1) && !(isInFlow && isFlowSign(1)) else {
            throw other()
        }
        var parts = [try plainLine()]
        var isCommented = byte() == UInt8(ascii: "#")
        lastLine = line
        var end = parts[0].endIndex
        var breaks: [Int] = []
        while !isCommented, isLineEnd(), byte() != nil {
            let before = self
            var count = 0
            repeat {
                skipLineBreak()
                count += 1
                skipBlanks()
            } while isLineEnd() && byte() != nil
            let isOver =
                byte() == nil || isMarker || byte() == UInt8(ascii: "#")
                || (isInFlow
                    ? isFlowSign() || byte() == UInt8(ascii: ":") && (isSpace(1) || isFlowSign(1))
                    : column <= parent)
            guard !isOver else {
                self = before
                break
            }
            breaks.append(count)
            parts.append(try plainLine())
            isCommented = byte() == UInt8(ascii: "#")
            lastLine = line
            end = parts[parts.count - 1].endIndex
        }
        // A further line that is a key.
        if !isInFlow, byte() == UInt8(ascii: ":") {
            throw other()
        }
        let range = begin..<end
        guard parts.count > 1 else {
            let isEmpty = YAMLReader.emptyWords.contains { parts[0].elementsEqual($0.utf8) }
            return YAMLNode(
                content: isEmpty && start == begin ? .empty : .scalar(parts[0], isVerbatim: true),
                range: range, whole: start..<end, line: firstLine)
        }
        var value = SecretBuilder()
        for (number, part) in parts.enumerated() {
            if number > 0 {
                YAMLReader.fold(breaks[number - 1], &value)
            }
            part.withBytes { value.append($0) }
        }
        return YAMLNode(
            content: .scalar(FileBytes(value.finish()), isVerbatim: false), range: range,
            whole: start..<end, line: firstLine)
    }

    private static let emptyWords = ["~", "null", "Null", "NULL"]

    /// Reads what one line has of a plain value.
    mutating func plainLine() throws(Failure) -> FileBytes {
        let start = place
        place = plainEnd
        guard byte() != 0x0D || isLineEnd() else {
            throw other()
        }
        var end = place
        while end > start, file[end - 1].isBlank {
            end -= 1
        }
        return file[start..<end]
    }

    /// Where a plain text ends in this line: before a comment, a colon that ends a key, and a sign of the collection in
    /// braces around it.
    var plainEnd: Int {
        let (first, begin, isInFlow) = (file.startIndex, place, isInFlow)
        return file.withBytes { text in
            var index = begin - first
            func isSign(_ index: Int) -> Bool { isInFlow && ",[]{}".utf8.contains(text[index]) }
            while index < text.count, text[index] != 0x0A, text[index] != 0x0D, !isSign(index) {
                let next = index + 1
                if text[index] == UInt8(ascii: ":"),
                    next == text.count || text[next].isWhitespace || isSign(next)
                {
                    break
                }
                if text[index] == UInt8(ascii: "#"), index + first > begin, text[index - 1].isBlank
                {
                    break
                }
                index = next
            }
            return first + index
        }
    }

    /// Appends what ends of lines in a text mean.
    private static func fold(_ breaks: Int, _ value: inout SecretBuilder) {
        if breaks == 1 {
            value.append(UInt8(ascii: " "))
        } else {
            for _ in 1..<breaks {
                value.append(0x0A)
            }
        }
    }

    // MARK: Quotation marks

    /// Reads a value in quotation marks.
    ///
    /// - Returns: The value, and whether its bytes are the same as in the file.
    mutating func quoted() throws(Failure) -> (value: FileBytes, isVerbatim: Bool) {
        let first = line
        let quote = file[place]
        place += 1
        let start = place
        var value = SecretBuilder()
        var isVerbatim = true
        while true {
            guard let byte = byte() else {
                throw Failure(line: first)
            }
            switch byte {
            case quote where quote == UInt8(ascii: "'") && self.byte(1) == quote:
                value.append(quote)
                isVerbatim = false
                place += 2
            case quote:
                let range = start..<place
                place += 1
                return (isVerbatim ? file[range] : FileBytes(value.finish()), isVerbatim)
            case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""):
                isVerbatim = false
                place += 1
                if isLineEnd() {
                    skipLineBreak()
                    for _ in 0..<(try skipFoldedLines(first)) {
                        value.append(0x0A)
                    }
                } else {
                    try escape(&value)
                }
            case 0x20, 0x09:
                let blanks = place
                skipBlanks()
                if !isLineEnd() {
                    file[blanks..<place].withBytes { value.append($0) }
                }
            default:
                guard isLineEnd() || byte == 0x0D else {
                    value.append(byte)
                    place += 1
                    break
                }
                guard isLineEnd() else {
                    throw other()
                }
                isVerbatim = false
                skipLineBreak()
                YAMLReader.fold(try skipFoldedLines(first) + 1, &value)
            }
        }
    }

    /// Goes over empty lines, and blanks at the beginning of the next one.
    ///
    /// - Returns: How many lines are empty.
    private mutating func skipFoldedLines(_ first: Int) throws(Failure) -> Int {
        var count = 0
        while true {
            guard byte() != nil, !isMarker else {
                throw Failure(line: first)
            }
            skipBlanks()
            guard isLineEnd() else {
                return count
            }
            skipLineBreak()
            count += 1
        }
    }

    /// Reads what follows a backslash.
    private mutating func escape(_ value: inout SecretBuilder) throws(Failure) {
        guard let byte = byte() else {
            throw other()
        }
        place += 1
        switch byte {
        case UInt8(ascii: "x"): try scalar(digits: 2, &value)
        case UInt8(ascii: "u"): try scalar(digits: 4, &value)
        case UInt8(ascii: "U"): try scalar(digits: 8, &value)
        default:
            guard let character = YAMLReader.escapes[byte] else {
                throw other()
            }
            for byte in character.utf8 {
                value.append(byte)
            }
        }
    }

    private static let escapes: [UInt8: String] = [
        UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "t"): "\t", UInt8(ascii: "\t"): "\t", UInt8(ascii: "n"): "\n",
        UInt8(ascii: "v"): "\u{B}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "r"): "\r",
        UInt8(ascii: "e"): "\u{1B}", UInt8(ascii: " "): " ", UInt8(ascii: "\""): "\"",
        UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\", UInt8(ascii: "N"): "\u{85}",
        UInt8(ascii: "_"): "\u{A0}", UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
    ]

    private mutating func scalar(digits: Int, _ value: inout SecretBuilder) throws(Failure) {
        var number = try self.number(digits)
        // JSON, which YAML includes, writes two halves.
        if number >> 10 == 0xD800 >> 10, byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u")
        {
            place += 2
            let low = try self.number(4)
            guard low >> 10 == 0xDC00 >> 10 else {
                throw other()
            }
            number = 0x10000 + (number & 0x3FF) << 10 + low & 0x3FF
        }
        guard let scalar = Unicode.Scalar(number) else {
            throw other()
        }
        for byte in String(Character(scalar)).utf8 {
            value.append(byte)
        }
    }

    private mutating func number(_ digits: Int) throws(Failure) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = byte().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw other()
            }
            number = number << 4 | UInt32(digit)
            place += 1
        }
        return number
    }

    // MARK: Blocks of lines

    /// Reads the lines of a value after `|` or `>`.
    mutating func blockScalar(in parent: Int, _ start: Int) throws(Failure) -> YAMLNode {
        let (begin, firstLine) = (place, line)
        let isFolded = byte() == UInt8(ascii: ">")
        place += 1
        var indentation: Int?
        // Whether the last line's end counts: nil for one of them.
        var keepsEnds: Bool?
        while let byte = byte(), !isSpace() {
            switch byte {
            case UInt8(ascii: "+"): keepsEnds = true
            case UInt8(ascii: "-"): keepsEnds = false
            case UInt8(ascii: "1")...UInt8(ascii: "9") where indentation == nil:
                indentation = max(parent, 0) + Int(byte - UInt8(ascii: "0"))
            default: throw other()
            }
            place += 1
        }
        try checkLineEnds()
        while !isLineEnd() {
            place += 1
        }
        skipLineBreak()
        let depth = indentation ?? detectedIndentation(parent)
        var value = SecretBuilder()
        var end = place
        var lineBreaks = skipEmptyLines(depth)
        var (isFirst, hasEnd, followsText) = (true, false, false)
        while byte() != nil, column >= depth, !isMarker {
            let isText = !(byte()?.isBlank ?? true)
            if !isFirst, isFolded, followsText, isText {
                // The end of the line before is one of these.
                YAMLReader.fold(lineBreaks + 1, &value)
            } else {
                for _ in 0..<lineBreaks + (isFirst ? 0 : 1) {
                    value.append(0x0A)
                }
            }
            let text = place
            while !isLineEnd() {
                guard byte() != 0x0D else {
                    throw other()
                }
                place += 1
            }
            file[text..<place].withBytes { value.append($0) }
            end = place
            lastLine = line
            (isFirst, hasEnd, followsText) = (false, byte() != nil, isText)
            skipLineBreak()
            lineBreaks = skipEmptyLines(depth)
        }
        if keepsEnds != false, hasEnd {
            value.append(0x0A)
        }
        if keepsEnds == true {
            for _ in 0..<lineBreaks {
                value.append(0x0A)
            }
        }
        return YAMLNode(
            content: .scalar(FileBytes(value.finish()), isVerbatim: false), range: begin..<end,
            whole: start..<end, line: firstLine)
    }

    /// Returns how far the first line with a text is indented, or an empty one before it.
    private func detectedIndentation(_ parent: Int) -> Int {
        var reader = self
        var depth = max(parent, 0) + 1
        while true {
            while reader.byte() == UInt8(ascii: " ") {
                reader.place += 1
            }
            depth = max(depth, reader.column)
            guard reader.byte() != nil, reader.isLineEnd() else {
                return depth
            }
            reader.skipLineBreak()
        }
    }

    /// Goes over empty lines, and at most so many spaces at the beginning of the next one.
    ///
    /// - Returns: How many lines are empty.
    private mutating func skipEmptyLines(_ depth: Int) -> Int {
        var count = 0
        while true {
            while byte() == UInt8(ascii: " "), column < depth {
                place += 1
            }
            guard byte() != nil, isLineEnd() else {
                return count
            }
            skipLineBreak()
            count += 1
        }
    }
}
