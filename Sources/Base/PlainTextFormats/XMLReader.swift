package import LanyardSecrets

/// Goes through XML, from one tag or text to the next: elements, attributes, texts, CDATA, comments.
///
/// It reads no document types, so the only entities are XML's own five. The corresponding document is
/// "Extensible Markup Language (XML) 1.0", without its section 4.
package struct XMLReader {
    /// A part of the document.
    package enum Event: Equatable, Sendable {
        /// The start of an element, at its `<`. An empty element has an end, too.
        case start(at: Int)
        /// Characters, possibly with references, or those of a CDATA section.
        case text(Range<Int>, isVerbatim: Bool)
        /// The end of the innermost element, after its `>`; `content` is everything between its tags.
        case end(content: Range<Int>, after: Int)
    }

    /// An attribute of an element.
    package struct Attribute: Sendable {
        /// Its name.
        package let name: Range<Int>
        /// Its value without quotation marks, possibly with references.
        package let value: Range<Int>
    }

    private struct Element {
        let name: Range<Int>
        let content: Int
    }

    /// Limits how deep elements may be nested.
    private static let depthLimit = 64

    /// The name of the element that started or ended last.
    package private(set) var name = 0..<0
    /// The attributes of the element that started last.
    package private(set) var attributes: [Attribute] = []

    private var open: [Element] = []
    private var position = 0
    private var hasRoot = false
    /// Whether the element that started last is empty.
    private var isEmptyElement = false

    /// Starts at the beginning.
    package init() {}

    /// Returns the next part, nil at the end.
    ///
    /// - Throws: ``Status/decode`` with the number of the line for another form, a document type, and too many
    ///   nested elements.
    package mutating func next(in text: Span<UInt8>) throws(KeychainError) -> Event? {
        if position == 0, text.starts(with: "\u{FEFF}") {
            position = 3
        }
        if isEmptyElement {
            isEmptyElement = false
            return end(content: position..<position)
        }
        while position < text.count {
            let start = position
            guard text[start] == UInt8(ascii: "<") else {
                while position < text.count, text[position] != UInt8(ascii: "<") {
                    position += 1
                }
                if !open.isEmpty {
                    return .text(start..<position, isVerbatim: false)
                }
                guard text.extracting(start..<position).isWhiteSpace else {
                    position = start
                    throw invalid(text)
                }
                continue
            }
            let rest = text.extracting(droppingFirst: start)
            if rest.starts(with: "<!--") {
                try skip(past: "-->", from: start + 4, text)
            } else if rest.starts(with: "<?") {
                try skip(past: "?>", from: start + 2, text)
            } else if rest.starts(with: "<![CDATA["), !open.isEmpty {
                try skip(past: "]]>", from: start + 9, text)
                return .text(start + 9..<position - 3, isVerbatim: true)
            } else if rest.starts(with: "</") {
                return try endTag(text, at: start)
            } else {
                return try startTag(text, at: start)
            }
        }
        guard open.isEmpty, hasRoot else {
            throw invalid(text)
        }
        return nil
    }

    private mutating func startTag(
        _ text: Span<UInt8>, at start: Int
    ) throws(KeychainError) -> Event {
        guard !open.isEmpty || !hasRoot, open.count < XMLReader.depthLimit else {
            throw invalid(text)
        }
        hasRoot = true
        position = start + 1
        let name = try takeName(text)
        attributes = []
        while true {
            let hasSpace = skipSpace(text)
            let rest = text.extracting(droppingFirst: position)
            if rest.starts(with: "/>") {
                position += 2
                isEmptyElement = true
                break
            }
            if rest.starts(with: ">") {
                position += 1
                break
            }
            guard hasSpace else {
                throw invalid(text)
            }
            attributes.append(try takeAttribute(text))
        }
        self.name = name
        open.append(Element(name: name, content: position))
        return .start(at: start)
    }

    private mutating func takeAttribute(_ text: Span<UInt8>) throws(KeychainError) -> Attribute {
        let name = try takeName(text)
        _ = skipSpace(text)
        guard position < text.count, text[position] == UInt8(ascii: "=") else {
            throw invalid(text)
        }
        position += 1
        _ = skipSpace(text)
        guard position < text.count,
            text[position] == UInt8(ascii: "\"") || text[position] == UInt8(ascii: "'")
        else {
            throw invalid(text)
        }
        let quote = text[position]
        let start = position + 1
        position = start
        while position < text.count, text[position] != quote {
            guard text[position] != UInt8(ascii: "<") else {
                throw invalid(text)
            }
            position += 1
        }
        guard position < text.count else {
            throw invalid(text)
        }
        position += 1
        return Attribute(name: name, value: start..<position - 1)
    }

    private mutating func endTag(
        _ text: Span<UInt8>, at start: Int
    ) throws(KeychainError) -> Event {
        position = start + 2
        let name = try takeName(text)
        _ = skipSpace(text)
        guard let element = open.last, position < text.count, text[position] == UInt8(ascii: ">"),
            text.extracting(name).isEqual(to: text.extracting(element.name))
        else {
            throw invalid(text)
        }
        position += 1
        return end(content: element.content..<start)
    }

    private mutating func end(content: Range<Int>) -> Event {
        name = open.removeLast().name
        return .end(content: content, after: position)
    }

    private mutating func takeName(_ text: Span<UInt8>) throws(KeychainError) -> Range<Int> {
        let start = position
        while position < text.count, text[position].isOfXMLName {
            position += 1
        }
        guard position > start else {
            throw invalid(text)
        }
        return start..<position
    }

    private mutating func skipSpace(_ text: Span<UInt8>) -> Bool {
        let start = position
        while position < text.count, text[position].isXMLSpace {
            position += 1
        }
        return position > start
    }

    private mutating func skip(
        past end: StaticString, from start: Int, _ text: Span<UInt8>
    ) throws(KeychainError) {
        guard start <= text.count,
            let found = text.extracting(droppingFirst: start).firstIndex(of: end)
        else {
            position = text.count
            throw invalid(text)
        }
        position = start + found + end.utf8CodeUnitCount
    }

    private func invalid(_ text: Span<UInt8>) -> KeychainError {
        var line = 1
        for index in 0..<min(position, text.count) where text[index] == 0x0A {
            line += 1
        }
        guard position < text.count else {
            return PlainTextValues.endsTooEarly(line: line)
        }
        return KeychainError(.decode, "line \(line) is invalid XML, or of a form that is not read")
    }
}

extension Span where Element == UInt8 {
    /// The characters of a text or of an attribute's value, without references; nil for an unknown one.
    package var xmlCharacters: Secret? {
        var characters = SecretBuilder(capacity: count)
        var index = 0
        while index < count {
            switch self[index] {
            case UInt8(ascii: "<"): return nil
            case 0x0D:
                // A line ends with a line feed, whatever the file has.
                characters.append(0x0A)
                index += index + 1 < count && self[index + 1] == 0x0A ? 2 : 1
            case UInt8(ascii: "&"):
                let rest = extracting(droppingFirst: index + 1)
                guard let end = rest.firstIndex(of: UInt8(ascii: ";")), end <= 8,
                    let character = rest.extracting(0..<end).xmlReference
                else {
                    return nil
                }
                for byte in String(character).utf8 {
                    characters.append(byte)
                }
                index += end + 2
            case let byte:
                characters.append(byte)
                index += 1
            }
        }
        return characters.finish()
    }

    /// The character of a reference without its `&` and `;`.
    private var xmlReference: Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case let name where name.hasPrefix("#"):
            let isHexadecimal = name.hasPrefix("#x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            guard digits.utf8.first != UInt8(ascii: "+"), digits.utf8.first != UInt8(ascii: "-"),
                let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number > 0,
                let scalar = Unicode.Scalar(number)
            else {
                return nil
            }
            return Character(scalar)
        default: return nil
        }
    }

    var isWhiteSpace: Bool {
        for index in indices where !self[index].isXMLSpace {
            return false
        }
        return true
    }

    fileprivate func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else {
            return false
        }
        for index in indices where self[index] != other[index] {
            return false
        }
        return true
    }
}

extension UInt8 {
    fileprivate var isXMLSpace: Bool { isBlank || self == 0x0A || self == 0x0D }

    /// Whether it is a byte of a name; which characters are letters is not checked.
    fileprivate var isOfXMLName: Bool {
        self > 0x20 && !"<>/=\"'&!?;,()[]{}".utf8.contains(self)
    }
}
