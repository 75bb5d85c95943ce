internal import KeychainServices

/// Git's syntax of configuration files, without includes: sections `[section "subsection"]`, lines
/// `key = value`, comments after `#` or `;`, quotes, escapes and lines continued with `\`.
///
/// It reads everything as git does, but refuses three things: entries before the first section,
/// values that are not UTF-8, and NUL. A tab inside a value stays a tab, as in git since 2.45.
///
/// The corresponding section of git-config(1) is "CONFIGURATION FILE".
struct ConfigurationSyntax {
    /// One line `key = value`.
    struct Entry: Equatable {
        /// The section's name in lower case, up to its first dot.
        var section: String
        /// The subsection's name, unchanged, nil if there is none.
        var subsection: String?
        /// The key in lower case.
        var key: String
        /// The value, nil for a key without one.
        var value: String?
        /// The line's number, from 1.
        var line: Int
        /// The range of key and value in the bytes, without blanks and comments after them.
        var range: Range<Int>
        /// The range of the value, including quotes; nil for a key without one.
        var valueRange: Range<Int>?
    }

    /// One `[section "subsection"]`.
    struct Header: Equatable {
        /// The section's name in lower case, up to its first dot.
        var section: String
        /// The subsection's name, unchanged, nil if there is none.
        var subsection: String?
        /// Its range in the bytes.
        var range: Range<Int>
    }

    /// The entries, in order.
    private(set) var entries: [Entry] = []
    /// The headers, in order.
    private(set) var headers: [Header] = []
    /// Whether more bytes would continue the last line.
    private(set) var isUnfinished = false

    /// Reads a file's bytes.
    ///
    /// - Throws: ``Status/param`` with the number of the invalid line.
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
}
