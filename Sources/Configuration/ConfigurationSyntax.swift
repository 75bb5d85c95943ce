internal import KeychainServices

/// Git's syntax of configuration files, without includes: sections `[section "subsection"]`, lines
/// `key = value`, comments after `#` or `;`, quotes, escapes and lines that go on after `\`.
///
/// What git reads is read the same, but for three things that are refused here: entries before the
/// first section, values that are not UTF-8, and NUL. A tab inside a value stays one, as it does
/// since git 2.45.
///
/// The corresponding section of git-config(1) is "CONFIGURATION FILE".
struct ConfigurationSyntax {
    /// One line `key = value`.
    struct Entry: Equatable {
        /// The section's name in small letters, up to its first dot.
        var section: String
        /// The subsection's name as it is, nil if there is none.
        var subsection: String?
        /// The key in small letters.
        var key: String
        /// The value, nil for a key that stands alone.
        var value: String?
        /// The line's number, from 1.
        var line: Int
        /// Where key and value stand in the bytes, without blanks and comments behind them.
        var range: Range<Int>
        /// Where the value stands, quotes included; nil for a key that stands alone.
        var valueRange: Range<Int>?
    }

    /// One `[section "subsection"]`.
    struct Header: Equatable {
        /// The section's name in small letters, up to its first dot.
        var section: String
        /// The subsection's name as it is, nil if there is none.
        var subsection: String?
        /// Where it stands in the bytes.
        var range: Range<Int>
    }

    /// The entries in their order.
    private(set) var entries: [Entry] = []
    /// The headers in their order.
    private(set) var headers: [Header] = []
    /// Whether the last line would go on if more bytes came.
    private(set) var isUnfinished = false

    /// Reads a file's bytes.
    ///
    /// - Throws: ``Status/param`` with the number of the line that can't be read.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        var reader = ConfigurationReader(bytes)
        while let byte = reader.peek() {
            switch byte {
            case UInt8(ascii: "#"), UInt8(ascii: ";"):
                reader.skipComment()
            case UInt8(ascii: "["):
                headers.append(try reader.header())
            case _ where ConfigurationReader.isSpace(byte) || byte == ConfigurationReader.newline:
                _ = reader.next()
            default:
                guard let header = headers.last else {
                    throw reader.unreadable
                }
                entries.append(try reader.entry(in: header))
            }
        }
        isUnfinished = reader.isUnfinished
    }

    /// The entries of a file's bytes.
    static func parse(_ bytes: [UInt8]) throws(KeychainError) -> [Entry] {
        try ConfigurationSyntax(bytes).entries
    }
}
