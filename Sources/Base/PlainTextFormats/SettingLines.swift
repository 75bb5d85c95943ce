package import LanyardSecrets

/// A line `key = value` of INI, TOML and their like.
package struct SettingLine {
    /// The number of its section among ``SettingLines/sections``; nil before the first one.
    package let section: Int?
    /// The key with its quotation marks.
    package let keyRange: Range<Int>
    /// The key.
    package let key: ByteString
    /// The value without white space.
    package let value: Range<Int>
    /// Whether quotes were around the value.
    package let isQuoted: Bool
    /// Whether nothing but a comment follows the value, and its closing quote.
    package let isWhole: Bool
    /// Whether the value has escapes in quotes, which are not read.
    package let hasEscapes: Bool
    /// Where it is.
    package let line: Line
    /// Whether a line below it is indented deeper, to Python's configparser a part of the value, or the key is in the line
    /// above.
    package fileprivate(set) var isContinued = false
}

/// A text's lines `key = value`, in order, and where its sections are.
package struct SettingLines {
    /// Which signs end a key.
    package enum Signs {
        /// The equals sign.
        case equalsSign
        /// The first equals sign or colon, as in Python's configparser.
        case firstSign
        /// The first equals sign, colon or blank, as in Java's properties. Comments begin with an exclamation mark, too, a
        /// line continues the one before that ends with a backslash, and there are no sections.
        case ofProperties
        /// Those that any tool takes, also with `export` before the key. A colon before an equals sign, or in a key that
        /// begins with `//`, needs a blank behind it: addresses have others.
        case ofAnyTool
    }

    /// The lines.
    package private(set) var lines: [SettingLine] = []
    /// The sections.
    package private(set) var sections: [PlainTextSection] = []

    /// A line that is neither a setting, a section, a comment nor blank.
    struct Other {
        let line: Line
        /// The number of its section.
        let section: Int?
        /// The setting before it, whose value goes on here: to Python's configparser, if it is indented deeper.
        let continued: Int?
    }

    /// The other lines.
    private(set) var others: [Other] = []
    /// How far the last setting of the current section that continues no other one is indented, and its index.
    private var last: (indentation: Int, index: Int)?

    /// Returns the lines of a section that are neither a setting nor a comment.
    package func others(in section: PlainTextSection) -> [Line] {
        others.map(\.line).filter { section.range.contains($0.range.lowerBound) }
    }

    /// The lines by the number of their section.
    package var linesOfSections: [Int?: [SettingLine]] {
        Dictionary(grouping: lines, by: \.section)
    }

    /// Reads a text; other lines are left out.
    ///
    /// - Parameters:
    ///   - isQuoted: Whether quotes around a value don't belong to it, and a comment may follow.
    ///   - signs: The signs that end a key.
    package init(_ text: Span<UInt8>, isQuoted: Bool = false, signs: Signs = .equalsSign) {
        var scanner = LineScanner()
        var continues = false
        while let line = scanner.next(in: text) {
            var range = text.withoutBlanks(line.range)
            let indentation = range.lowerBound - line.range.lowerBound
            if line.number == 1, text.extracting(range).starts(with: "\u{FEFF}") {
                // Some editors put this mark before the first line.
                range = text.withoutBlanks(range.lowerBound + 3..<range.upperBound)
            }
            if signs == .ofProperties {
                let isPart = continues
                let start = range.first.map { text[$0] }
                continues =
                    (isPart || start.map { !"#!".utf8.contains($0) } ?? false)
                    && text.extracting(range).endsWithBackslash
                if let start, !isPart, !"#!".utf8.contains(start) {
                    add(text, range, line, isQuoted, signs)
                }
                continue
            }
            guard let first = range.first else {
                if sections.last?.range.upperBound == line.whole.lowerBound {
                    extend(line)
                }
                continue
            }
            let isDeeper = last.map { indentation > $0.indentation } ?? false
            switch text[first] {
            case UInt8(ascii: "#"), UInt8(ascii: ";"): break
            case _ where signs == .firstSign && isDeeper: goOn(line)
            case UInt8(ascii: "["): begin(text, range, line)
            default:
                extend(line)
                if signs == .ofAnyTool, text.extracting(range).starts(with: "export ") {
                    range = text.withoutBlanks(first + 7..<range.upperBound)
                }
                if let last, isDeeper {
                    lines[last.index].isContinued = true
                }
                let count = lines.count
                add(text, range, line, isQuoted, signs)
                if !isDeeper, lines.count > count {
                    last = (indentation, count)
                }
            }
        }
    }

    /// Takes a line as a part of the last setting's value.
    private mutating func goOn(_ line: Line) {
        extend(line)
        if let last {
            lines[last.index].isContinued = true
        }
    }

    private mutating func begin(_ text: Span<UInt8>, _ range: Range<Int>, _ line: Line) {
        let end = text.extracting(range).firstIndex(of: UInt8(ascii: "]"))
        last = nil
        sections.append(
            PlainTextSection(
                text, header: range, end: end.map { range.lowerBound + $0 } ?? range.upperBound,
                line: line.number, whole: line.whole))
    }

    private mutating func add(
        _ text: Span<UInt8>, _ range: Range<Int>, _ line: Line, _ isQuoted: Bool, _ signs: Signs
    ) {
        let found =
            signs == .ofProperties
            ? text.extracting(range).signOfProperties : text.extracting(range).sign(signs)
        guard let sign = found else {
            let indentation = range.lowerBound - line.range.lowerBound
            let continued = last.flatMap { indentation > $0.indentation ? $0.index : nil }
            others.append(
                Other(line: line, section: sections.indices.last, continued: continued))
            return
        }
        var key = text.withoutBlanks(range.lowerBound..<range.lowerBound + sign)
        let isContinuing = key.isEmpty && others.last?.line.number == line.number - 1
        if isContinuing, let before = others.last {
            key = text.withoutBlanks(before.line.range)
        }
        let rest = text.withoutBlanks(range.lowerBound + sign + 1..<range.upperBound)
        let value = isQuoted ? text.unquoted(rest) : rest
        let hasQuotes = value.lowerBound > rest.lowerBound
        let after = text.extracting(
            text.withoutBlanks(
                min(value.upperBound + (hasQuotes ? 1 : 0), rest.upperBound)..<rest.upperBound))
        lines.append(
            SettingLine(
                section: sections.indices.last, keyRange: key, key: text.withoutQuotes(key),
                value: value, isQuoted: hasQuotes,
                isWhole: (!hasQuotes || value.upperBound < rest.upperBound)
                    && (after.isEmpty || after.starts(with: "#") || after.starts(with: ";")),
                hasEscapes: hasQuotes
                    && text.extracting(value).contains(UInt8(ascii: "\\")),
                line: line, isContinued: isContinuing))
    }

    private mutating func extend(_ line: Line) {
        guard let last = sections.indices.last else {
            return
        }
        sections[last].range = sections[last].range.lowerBound..<line.whole.upperBound
    }
}

extension Span where Element == UInt8 {
    /// Returns where the sign between a line's key and its value is.
    fileprivate func sign(_ signs: SettingLines.Signs) -> Int? {
        let equalsSign = firstIndex(of: UInt8(ascii: "="))
        let isAddress = signs == .ofAnyTool && starts(with: "//")
        let first = isAddress ? firstIndex(of: ": ") : firstIndex(of: UInt8(ascii: ":"))
        guard signs != .equalsSign, let colon = first else {
            return equalsSign
        }
        guard let equalsSign,
            equalsSign < colon || signs == .ofAnyTool && !self[colon + 1].isBlank
        else {
            return colon
        }
        return equalsSign
    }

    /// Where the sign between a property's key and its value is: not after a backslash, and a blank only without another
    /// sign behind it.
    fileprivate var signOfProperties: Int? {
        var index = 0
        while index < count, !self[index].isBlank, !"=:".utf8.contains(self[index]) {
            index += self[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < count else {
            return nil
        }
        let next = (index..<count).first { !self[$0].isBlank }
        return next.map { "=:".utf8.contains(self[$0]) ? $0 : index }
    }

    /// Whether it ends with a backslash that no other one precedes.
    fileprivate var endsWithBackslash: Bool {
        var index = count
        while index > 0, self[index - 1] == UInt8(ascii: "\\") {
            index -= 1
        }
        return !(count - index).isMultiple(of: 2)
    }
}
