internal import Keychain

/// Git's syntax of configuration files, without includes: sections `[section "subsection"]`, lines
/// `key = value`, comments after `#` or `;`, quotes, escapes and lines that go on after `\`.
///
/// The corresponding section of git-config(1) is "CONFIGURATION FILE".
enum ConfigurationSyntax {
    /// One line `key = value`.
    struct Entry: Equatable {
        /// The section's name in small letters.
        var section: String
        /// The subsection's name as it is, nil if there is none.
        var subsection: String?
        /// The key in small letters.
        var key: String
        /// The value, nil for a key that stands alone.
        var value: String?
        /// The line's number, from 1.
        var line: Int
        /// Where it stands in the bytes, from the key to the end of its last line.
        var range: Range<Int>
        /// Where the header of its section stands.
        var header: Range<Int>
    }

    /// Reads a file's bytes.
    ///
    /// - Throws: ``Status/param`` with the number of the line that can't be read.
    static func parse(_ bytes: [UInt8]) throws(KeychainError) -> [Entry] {
        var parser = Parser(bytes)
        return try parser.entries()
    }
}

private struct Parser {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark, as some editors leave it.
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    mutating func entries() throws(KeychainError) -> [ConfigurationSyntax.Entry] {
        var entries: [ConfigurationSyntax.Entry] = []
        var section: (name: String, subsection: String?)?
        var header = 0..<0
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "#"), UInt8(ascii: ";"):
                skipComment()
            case UInt8(ascii: "["):
                let start = position
                section = try sectionHeader()
                header = start..<position
            case _ where isSpace(byte) || byte == newline:
                _ = next()
            default:
                guard let section else {
                    throw unreadable
                }
                let start = position
                let line = line
                let key = try key()
                let value = try value()
                entries.append(
                    ConfigurationSyntax.Entry(
                        section: section.name, subsection: section.subsection, key: key,
                        value: value, line: line, range: start..<position, header: header))
            }
        }
        return entries
    }

    private mutating func sectionHeader() throws(KeychainError) -> (String, String?) {
        _ = next()
        var name: [UInt8] = []
        while let byte = peek(), isNameByte(byte) || byte == UInt8(ascii: ".") {
            name.append(byte)
            _ = next()
        }
        let isBlankBefore = skipSpaces()
        var subsection: [UInt8]?
        if peek() == quote {
            guard isBlankBefore else {
                throw unreadable
            }
            subsection = try quotedSubsection()
        }
        guard !name.isEmpty, next() == UInt8(ascii: "]") else {
            throw unreadable
        }
        return (try text(name).lowercased(), try subsection.map(text))
    }

    private mutating func quotedSubsection() throws(KeychainError) -> [UInt8] {
        _ = next()
        var subsection: [UInt8] = []
        while let byte = next(), byte != newline {
            switch byte {
            case quote:
                return subsection
            case UInt8(ascii: "\\"):
                guard let escaped = next(), escaped != newline else {
                    throw unreadable
                }
                subsection.append(escaped)
            default:
                subsection.append(byte)
            }
        }
        throw unreadable
    }

    private mutating func key() throws(KeychainError) -> String {
        var key: [UInt8] = []
        while let byte = peek(), isNameByte(byte) {
            key.append(byte)
            _ = next()
        }
        guard let first = key.first, isLetter(first) else {
            throw unreadable
        }
        return try text(key).lowercased()
    }

    /// What stands after a key, nil if that is nothing.
    private mutating func value() throws(KeychainError) -> String? {
        skipSpaces()
        switch peek() {
        case nil, newline:
            return nil
        case UInt8(ascii: "#"), UInt8(ascii: ";"):
            skipComment()
            return nil
        case UInt8(ascii: "="):
            _ = next()
            skipSpaces()
        default:
            throw unreadable
        }
        var value: [UInt8] = []
        // Spaces at the end count only if something or a quote comes after them.
        var kept = 0
        var isQuoted = false
        while let byte = peek(), byte != newline {
            switch byte {
            case quote:
                isQuoted.toggle()
                kept = value.count
                _ = next()
            case UInt8(ascii: "\\"):
                _ = next()
                if let escaped = try escape() {
                    value.append(escaped)
                    kept = value.count
                }
            case UInt8(ascii: "#") where !isQuoted, UInt8(ascii: ";") where !isQuoted:
                skipComment()
            default:
                value.append(byte)
                if isQuoted || !isSpace(byte) {
                    kept = value.count
                }
                _ = next()
            }
        }
        guard !isQuoted else {
            throw unreadable
        }
        return try text(Array(value[..<kept]))
    }

    /// The byte that an escape stands for, nil at the end of a line that goes on in the next.
    private mutating func escape() throws(KeychainError) -> UInt8? {
        if peek() == UInt8(ascii: "\r"), position + 1 < bytes.count, bytes[position + 1] == newline
        {
            _ = next()
        }
        switch next() {
        case newline: return nil
        case UInt8(ascii: "n"): return newline
        case UInt8(ascii: "t"): return UInt8(ascii: "\t")
        case UInt8(ascii: "b"): return 8
        case quote: return quote
        case UInt8(ascii: "\\"): return UInt8(ascii: "\\")
        default: throw unreadable
        }
    }

    private let newline = UInt8(ascii: "\n")
    private let quote = UInt8(ascii: "\"")

    private func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func next() -> UInt8? {
        guard let byte = peek() else {
            return nil
        }
        position += 1
        if byte == newline {
            line += 1
        }
        return byte
    }

    @discardableResult
    private mutating func skipSpaces() -> Bool {
        let start = position
        while let byte = peek(), isSpace(byte) {
            _ = next()
        }
        return position > start
    }

    private mutating func skipComment() {
        while let byte = peek(), byte != newline {
            _ = next()
        }
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || byte == UInt8(ascii: "-")
    }

    private func text(_ bytes: [UInt8]) throws(KeychainError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self),
            !bytes.contains(0)
        else {
            throw unreadable
        }
        return text
    }

    private var unreadable: KeychainError {
        KeychainError(.param, "line \(line) of the configuration can't be read")
    }
}
