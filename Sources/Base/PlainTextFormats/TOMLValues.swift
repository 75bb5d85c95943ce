internal import LanyardSecrets

/// Reads the values of TOML 1.0; the elements of a list have empty names.
struct TOMLValues {
    /// Where the file is no TOML: the number of the line, from 1.
    private struct Failure: Error {
        let line: Int
        var isDepth = false
    }

    private let file: FileBytes
    private var place: Int
    private var line = 1
    private var values: [PlainTextValue] = []
    /// The tables' headers without what follows them, with the line of each and what belongs to it.
    private var headers: [(range: Range<Int>, line: Int, whole: Range<Int>)] = []
    /// The names of the present table, and its number.
    private var table: (path: [String], number: Int) = ([], 0)
    /// The names of the lists of tables.
    private var lists: Set<[String]> = []
    private var count = 0

    private init(_ file: FileBytes) {
        self.file = file
        place = file.startIndex
    }

    /// Adds the values.
    ///
    /// - Throws: ``Status/decode`` with the number of the line where the file is no TOML, and for too many names or lists around
    ///   a value.
    static func read(
        _ text: Span<UInt8>, to values: inout [PlainTextValue]
    ) throws(KeychainError) {
        var reader = TOMLValues(FileBytes(Secret(copying: text)))
        defer { values += reader.values }
        do throws(Failure) {
            try reader.readLines()
        } catch {
            throw KeychainError(
                .decode,
                "line \(error.line) " + (error.isDepth ? "is nested too deep" : "is not valid TOML")
            )
        }
    }

    /// Returns the tables with a header, of a damaged file nil.
    static func sections(_ text: Span<UInt8>) -> [PlainTextSection]? {
        var reader = TOMLValues(FileBytes(Secret(copying: text)))
        guard (try? reader.readLines()) != nil else {
            return nil
        }
        return reader.headers.map { header in
            PlainTextSection(
                text, header: header.range, end: header.range.upperBound, line: header.line,
                whole: header.whole)
        }
    }

    // MARK: Bytes

    private func byte(_ offset: Int = 0) -> UInt8? {
        place + offset < file.endIndex ? file[place + offset] : nil
    }

    private var failure: Failure { Failure(line: line) }

    private var isLineEnd: Bool {
        byte() == nil || byte() == 0x0A || byte() == 0x0D && byte(1) == 0x0A
    }

    private mutating func skipBlanks() {
        while let byte = byte(), byte.isBlank {
            place += 1
        }
    }

    private mutating func skip(_ sign: Character) throws(Failure) {
        guard byte() == sign.asciiValue else {
            throw failure
        }
        place += 1
    }

    /// Goes over blanks, comments and ends of lines.
    private mutating func skipLines() {
        while true {
            skipBlanks()
            if byte() == UInt8(ascii: "#") {
                while !isLineEnd {
                    place += 1
                }
            }
            guard byte() != nil, isLineEnd else {
                return
            }
            skipLineBreak()
        }
    }

    private mutating func skipLineBreak() {
        place += byte() == 0x0D ? 2 : 1
        line += 1
    }

    // MARK: Lines

    private mutating func readLines() throws(Failure) {
        while true {
            skipLines()
            guard let first = byte() else {
                return
            }
            let start = place
            let lineStart = file[..<start].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            if first == UInt8(ascii: "[") {
                headers.append((start..<start, line, lineStart..<start))
                try readHeader()
            } else {
                let name = try key()
                skipBlanks()
                try skip("=")
                skipBlanks()
                let before = values.count
                try value(table.path + name, table.number, depth: 0)
                // A list or a table in braces stays, without what was in quotation marks.
                if values.count == before + 1,
                    values[before].path.count == (table.path + name).count
                {
                    values[before].removal = lineStart..<endOfLine(at: place)
                }
            }
            skipBlanks()
            guard isLineEnd || byte() == UInt8(ascii: "#") else {
                throw failure
            }
            if let last = headers.indices.last {
                var end = endOfLine(at: place)
                while end < file.endIndex, file[end..<endOfLine(at: end)].allSatisfy(\.isWhitespace)
                {
                    end = endOfLine(at: end)
                }
                headers[last].whole = headers[last].whole.lowerBound..<end
            }
        }
    }

    private func endOfLine(at place: Int) -> Int {
        file[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? file.endIndex
    }

    private mutating func readHeader() throws(Failure) {
        place += 1
        let isElement = byte() == UInt8(ascii: "[")
        place += isElement ? 1 : 0
        skipBlanks()
        let names = try key()
        skipBlanks()
        if let last = headers.indices.last {
            headers[last].range = headers[last].range.lowerBound..<place
        }
        try skip("]")
        if isElement {
            try skip("]")
            lists.insert(names)
        }
        // Those of a list are in its last element.
        var path: [String] = []
        for (index, name) in names.enumerated() {
            path += lists.contains(Array(names[...index])) ? [name, ""] : [name]
        }
        count += 1
        table = (path, count)
    }

    /// Reads a name, or several with dots between them.
    private mutating func key() throws(Failure) -> [String] {
        var names: [String] = []
        while true {
            switch byte() {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): names.append(try string().bytes.name)
            default:
                let start = place
                while let byte = byte(), byte.isLetterOrDigit || "_-".utf8.contains(byte) {
                    place += 1
                }
                guard place > start else {
                    throw failure
                }
                names.append(file[start..<place].name)
            }
            guard names.count <= PlainTextValues.depthLimit else {
                throw Failure(line: line, isDepth: true)
            }
            let end = place
            skipBlanks()
            guard byte() == UInt8(ascii: ".") else {
                place = end
                return names
            }
            place += 1
            skipBlanks()
        }
    }

    // MARK: Values

    private mutating func value(
        _ path: [String], _ parent: Int, depth: Int
    ) throws(Failure) {
        guard depth < PlainTextValues.depthLimit else {
            throw Failure(line: line, isDepth: true)
        }
        let first = line
        switch byte() {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let (bytes, range, isVerbatim) = try string()
            values.append(
                PlainTextValue(
                    path: path, range: range, line: first, parent: parent, isVerbatim: isVerbatim,
                    content: isVerbatim ? nil : bytes, removal: range))
        case UInt8(ascii: "["): try readList(path, depth)
        case UInt8(ascii: "{"): try readTable(path, depth)
        default:
            let start = place
            while let byte = byte(), byte.isLetterOrDigit || "+-_.: ".utf8.contains(byte) {
                place += 1
            }
            while place > start, file[place - 1] == UInt8(ascii: " ") {
                place -= 1
            }
            guard place > start else {
                throw failure
            }
            // A program that writes a text there would read none.
            values.append(
                PlainTextValue(
                    path: path, range: start..<place, line: first, parent: parent,
                    isVerbatim: false, removal: start..<place))
        }
    }

    private mutating func readList(_ path: [String], _ depth: Int) throws(Failure) {
        try readMembers(until: "]") { reader, number throws(Failure) in
            try reader.value(path + [""], number, depth: depth + 1)
        }
    }

    private mutating func readTable(_ path: [String], _ depth: Int) throws(Failure) {
        try readMembers(until: "}") { reader, number throws(Failure) in
            let name = try reader.key()
            reader.skipBlanks()
            try reader.skip("=")
            reader.skipBlanks()
            try reader.value(path + name, number, depth: depth + 1)
        }
    }

    /// Reads what is between brackets or braces, with commas between the members.
    ///
    /// - Parameter body: Gets the number of the list or table, and reads a member.
    private mutating func readMembers(
        until end: Character, _ body: (inout TOMLValues, Int) throws(Failure) -> Void
    ) throws(Failure) {
        count += 1
        let number = count
        place += 1
        skipLines()
        while byte() != end.asciiValue {
            try body(&self, number)
            skipLines()
            guard byte() == UInt8(ascii: ",") else {
                break
            }
            place += 1
            skipLines()
        }
        try skip(end)
    }

    // MARK: Texts

    /// Reads a text in quotation marks.
    ///
    /// - Returns: The text, its place in the file, and whether its bytes are the same there.
    private mutating func string() throws(Failure) -> (
        bytes: FileBytes, range: Range<Int>, isVerbatim: Bool
    ) {
        let first = line
        let quote = file[place]
        let hasEscapes = quote == UInt8(ascii: "\"")
        let isLong = byte(1) == quote && byte(2) == quote
        place += isLong ? 3 : 1
        if isLong, byte() != nil, isLineEnd {
            skipLineBreak()
        }
        let start = place
        var text = SecretBuilder()
        var isVerbatim = true
        while let byte = byte() {
            if byte == quote, !isLong || self.byte(1) == quote && self.byte(2) == quote {
                // A long text may end with two of them.
                let end = place + 2
                while isLong, place < end, self.byte(3) == quote {
                    text.append(quote)
                    place += 1
                }
                let range = start..<place
                place += isLong ? 3 : 1
                return (isVerbatim ? file[range] : FileBytes(text.finish()), range, isVerbatim)
            }
            if byte == UInt8(ascii: "\\"), hasEscapes {
                isVerbatim = false
                place += 1
                try readEscape(&text, isLong)
            } else if isLineEnd {
                guard isLong else {
                    throw failure
                }
                isVerbatim = isVerbatim && byte == 0x0A
                text.append(0x0A)
                skipLineBreak()
            } else {
                text.append(byte)
                place += 1
            }
        }
        throw Failure(line: first)
    }

    private mutating func readEscape(
        _ text: inout SecretBuilder, _ isLong: Bool
    ) throws(Failure) {
        let begin = place
        skipBlanks()
        if isLong, byte() != nil, isLineEnd {
            while let byte = byte(), byte.isBlank || isLineEnd {
                if byte.isBlank {
                    place += 1
                } else {
                    skipLineBreak()
                }
            }
            return
        }
        place = begin
        guard let sign = byte() else {
            throw failure
        }
        place += 1
        if let byte = TOMLValues.escapes[sign] {
            text.append(byte)
            return
        }
        guard sign == UInt8(ascii: "u") || sign == UInt8(ascii: "U") else {
            throw failure
        }
        let digits = file[place...].prefix(sign == UInt8(ascii: "u") ? 4 : 8)
        var number: UInt32 = 0
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else {
                throw failure
            }
            number = number << 4 | UInt32(value)
        }
        guard let scalar = Unicode.Scalar(number), digits.count >= 4 else {
            throw failure
        }
        for byte in String(Character(scalar)).utf8 {
            text.append(byte)
        }
        place += digits.count
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "t"): 0x09, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "\""): UInt8(ascii: "\""),
        UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    ]
}
