package import KeychainServices
package import PlainTextFormats

/// A file format in which other programs store logins.
package protocol ImportFormat: Sendable {
    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - text: The bytes of the file.
    ///   - body: Gets each entry in the file's order. Its errors end the reading.
    /// - Throws: ``Status/decode`` if the file as a whole is not of this format, with the line's number and
    ///   none of its content. A single entry that makes no item is skipped instead, wherever the format
    ///   shows where the next one starts.
    func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError)

    /// Which of two entries for one place counts.
    var precedence: Precedence { get }

    /// Returns how a file's settings are written, in which secrets may be that ``read(_:_:)`` does not find; nil if it
    /// finds all, or names what it can't read itself.
    func syntax(of text: Span<UInt8>) -> PlainTextFormat?

    /// Whether a setting, by the names that lead to it, is a part of an entry without being its secret: its account, for
    /// example.
    func readsSetting(_ path: [String]) -> Bool

    /// Counts the entries of a file of this format.
    ///
    /// - Throws: What ``read(_:_:)`` throws about the file.
    func count(_ text: Span<UInt8>) throws(KeychainError) -> Int
}

extension ImportFormat {
    /// By default neither.
    package var precedence: Precedence { .neither }

    /// By default nil.
    package func syntax(of text: Span<UInt8>) -> PlainTextFormat? { nil }

    /// By default none.
    package func readsSetting(_ path: [String]) -> Bool { false }

    /// Counts the entries that ``read(_:_:)`` returns.
    package func count(_ text: Span<UInt8>) throws(KeychainError) -> Int {
        var count = 0
        try read(text) { _ in count += 1 }
        return count
    }

    /// Counts the entries of a file, as ``count(_:)`` of its bytes does.
    ///
    /// - Throws: ``Status/decode`` for a file in UTF-16, too, which is what PowerShell 5 writes.
    package func count(_ file: borrowing Secret) throws(KeychainError) -> Int {
        try file.withBytes { text throws(KeychainError) in
            let start = text.count < 2 ? [] : [text[0], text[1]]
            // Without a mark one of the first two bytes of a letter is 0.
            guard start != [0xFF, 0xFE], start != [0xFE, 0xFF], !start.contains(0) else {
                throw KeychainError(
                    .decode, "it is UTF-16", hint: "save it as UTF-8: iconv -f UTF-16 -t UTF-8")
            }
            return try count(text.extracting(droppingFirst: text.markCount))
        }
    }

    /// Reads a whole file, as ``read(_:_:)`` of its bytes does, and then passes an entry for each secret in it that
    /// this does not find. A byte order mark is no part of the text.
    package func read(_ file: borrowing Secret, _ body: ImportRecord.Body) throws(KeychainError) {
        try file.withBytes { file throws(KeychainError) in
            let mark = file.markCount
            let text = file.extracting(droppingFirst: mark)
            var unread = UnreadSecrets()
            try read(text) { record throws(KeychainError) in
                unread.append(record)
                try body(record.moved(by: mark))
            }
            guard let syntax = syntax(of: text) else {
                return
            }
            for line in unread.lines(in: text, syntax, isRead: readsSetting) {
                try body(
                    ImportRecord(
                        line: line, range: nil,
                        content: .unreadable(SkipReason.unread)))
            }
        }
    }
}
