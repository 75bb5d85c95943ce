internal import KeychainServices

/// Reads a configuration file's bytes, one part of the syntax after the other.
///
/// As in git, the two bytes that end a line on Windows always count as one newline.
struct ConfigurationReader {
    static let newline = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    /// Whether the bytes end after a `\` that continues a line, or after the newline that follows
    /// it.
    private(set) var isUnfinished = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // Some editors write a byte order mark.
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The error for the current line.
    var unreadable: KeychainError {
        KeychainError(
            .param, "line \(line) of the configuration is invalid",
            hint:
                "a line has a section, such as [lanyard] or [keychain \"work\"], or a setting, such as "
                + "autolock = 1h")
    }

    /// Returns the next byte without taking it.
    func peek() -> UInt8? {
        guard position < bytes.count else {
            return nil
        }
        return isWindowsNewline ? ConfigurationReader.newline : bytes[position]
    }

    /// Takes the next byte.
    mutating func next() -> UInt8? {
        guard let byte = peek() else {
            return nil
        }
        position += isWindowsNewline ? 2 : 1
        if byte == ConfigurationReader.newline {
            line += 1
        }
        return byte
    }

    private var isWindowsNewline: Bool {
        bytes[position] == UInt8(ascii: "\r") && position + 1 < bytes.count
            && bytes[position + 1] == ConfigurationReader.newline
    }

    /// Skips to the end of the line.
    mutating func skipComment() {
        while let byte = peek(), byte != ConfigurationReader.newline {
            _ = next()
        }
    }

    /// Takes a section's header.
    mutating func header() throws(KeychainError) -> ConfigurationSyntax.Header {
        let start = position
        _ = next()
        var name: [UInt8] = []
        while let byte = peek(), ConfigurationReader.isNameByte(byte) || byte == UInt8(ascii: ".") {
            name.append(byte)
            _ = next()
        }
        guard !name.isEmpty else {
            throw unreadable
        }
        // `[section.subsection]` is the older form, which ignores letter case.
        let parts = try text(name).lowercased()
            .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        var subsection = parts.count > 1 ? String(parts[1]) : nil
        if let byte = peek(), ConfigurationReader.isSpace(byte) {
            let quoted = try text(try quotedSubsection())
            subsection = subsection.map { "\($0).\(quoted)" } ?? quoted
        }
        guard peek() == UInt8(ascii: "]") else {
            throw unreadable
        }
        _ = next()
        return ConfigurationSyntax.Header(
            section: String(parts[0]), subsection: subsection, range: start..<position)
    }

    private mutating func quotedSubsection() throws(KeychainError) -> [UInt8] {
        while let byte = peek(), ConfigurationReader.isSpace(byte) {
            _ = next()
        }
        guard peek() == ConfigurationReader.quote else {
            throw unreadable
        }
        _ = next()
        var subsection: [UInt8] = []
        while let byte = peek(), byte != ConfigurationReader.newline {
            _ = next()
            switch byte {
            case ConfigurationReader.quote:
                return subsection
            case UInt8(ascii: "\\"):
                guard let escaped = peek(), escaped != ConfigurationReader.newline else {
                    throw unreadable
                }
                subsection.append(escaped)
                _ = next()
            default:
                subsection.append(byte)
            }
        }
        throw unreadable
    }

    /// Takes a key and its value.
    mutating func entry(
        in header: ConfigurationSyntax.Header
    ) throws(KeychainError) -> ConfigurationSyntax.Entry {
        let start = position
        let line = line
        let key = try key()
        var end = position
        var value: String?
        var valueRange: Range<Int>?
        while let byte = peek(), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
            _ = next()
        }
        switch peek() {
        case nil, ConfigurationReader.newline:
            break
        case UInt8(ascii: "="):
            _ = next()
            while let byte = peek(), ConfigurationReader.isSpace(byte) {
                _ = next()
            }
            let range: Range<Int>
            (value, range) = try self.value()
            valueRange = range
            end = range.upperBound
        default:
            throw unreadable
        }
        return ConfigurationSyntax.Entry(
            section: header.section, subsection: header.subsection, key: key, value: value,
            line: line, range: start..<end, valueRange: valueRange)
    }

    private mutating func key() throws(KeychainError) -> String {
        var key: [UInt8] = []
        while let byte = peek(), ConfigurationReader.isNameByte(byte) {
            key.append(byte)
            _ = next()
        }
        guard let first = key.first, first.isLetter else {
            throw unreadable
        }
        return try text(key).lowercased()
    }

    /// Takes a value up to the end of its last line.
    private mutating func value() throws(KeychainError) -> (String, Range<Int>) {
        var value: [UInt8] = []
        // Blanks at the start and at the end don't count; those between do.
        var blanks: [UInt8] = []
        var isQuoted = false
        let start = position
        var end = position
        while let byte = peek(), byte != ConfigurationReader.newline {
            if !isQuoted, byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";") {
                skipComment()
                break
            }
            _ = next()
            if !isQuoted, ConfigurationReader.isSpace(byte) {
                if !value.isEmpty {
                    blanks.append(byte)
                }
                continue
            }
            value += blanks
            blanks = []
            switch byte {
            case ConfigurationReader.quote: isQuoted.toggle()
            case UInt8(ascii: "\\"): value += try escape()
            default: value.append(byte)
            }
            end = position
        }
        guard !isQuoted else {
            throw unreadable
        }
        return (try text(value), start..<end)
    }

    /// Returns the byte of an escape, none if the line continues.
    private mutating func escape() throws(KeychainError) -> [UInt8] {
        switch next() {
        case nil, ConfigurationReader.newline:
            isUnfinished = position == bytes.count
            return []
        case UInt8(ascii: "n"): return [ConfigurationReader.newline]
        case UInt8(ascii: "t"): return [UInt8(ascii: "\t")]
        case UInt8(ascii: "b"): return [8]
        case ConfigurationReader.quote: return [ConfigurationReader.quote]
        case UInt8(ascii: "\\"): return [UInt8(ascii: "\\")]
        default: throw unreadable
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "-")
    }

    private func text(_ bytes: [UInt8]) throws(KeychainError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw unreadable
        }
        return text
    }
}
