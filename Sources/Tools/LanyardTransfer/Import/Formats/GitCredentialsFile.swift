internal import GitCredential
package import KeychainServices
internal import PlainTextFormats

/// The file of git-credential-store: a line `https://user:password@host` for each login.
///
/// Items are those that `git-credential-lanyard` would store for the same logins, in the access group
/// `git`. Lines are read as git reads them, but with the line ends of Windows, too. Of two lines for the same
/// protocol, host, path and user, the later one is ``ImportRecord/Content/shadowed``; lines that git ignores are
/// reported. Every file is valid.
/// The corresponding section of git-credential-store(1) is "STORAGE FORMAT".
package struct GitCredentialsFile: ImportFormat {
    package init() {}

    /// git takes the first one.
    package var precedence: Precedence { .first }

    /// Reads a whole file. Each line is an entry, except blank lines and comments without an `@`.
    ///
    /// - Throws: What the closure throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        var lines = LineScanner()
        var earlier = EarlierEntries(
            precedence, about: text.count / GitCredentialsFile.shortLineSize)
        var isAsGitReadsIt = true
        while let line = lines.next(in: text) {
            let range = GitCredentialsFile.range(of: line, in: text)
            guard text.extracting(range).isEntry else {
                continue
            }
            isAsGitReadsIt = isAsGitReadsIt && range == line.range
            try body(
                ImportRecord(
                    line: line.number, range: line.whole,
                    content: content(
                        of: text.extracting(range), &earlier, isAsGitReadsIt: isAsGitReadsIt)))
        }
    }

    /// Counts the entries, whatever they contain.
    package func count(_ text: Span<UInt8>) throws(KeychainError) -> Int {
        var lines = LineScanner()
        var count = 0
        while let line = lines.next(in: text) {
            let range = GitCredentialsFile.range(of: line, in: text)
            count += text.extracting(range).isEntry ? 1 : 0
        }
        return count
    }

    /// Returns a line without what editors on Windows add to it: a byte order mark, a carriage return.
    ///
    /// To git the one is part of the protocol, the other of the host or the path: it finds few of these logins.
    private static func range(of line: Line, in text: Span<UInt8>) -> Range<Int> {
        let isMarked = line.number == 1 && text.starts(with: "\u{FEFF}")
        let range = line.range.dropFirst(isMarked ? 3 : 0)
        return range.last.map { text[$0] } == .carriageReturn ? range.dropLast() : range
    }

    /// The minimum bytes of a line that is not unusually short.
    private static let shortLineSize = 48

    private func content(
        of line: Span<UInt8>, _ earlier: inout EarlierEntries, isAsGitReadsIt: Bool
    ) -> ImportRecord.Content {
        guard let login = GitCredentialURL(line) else {
            // git ignores it, but it may be a token or a password.
            return line.contains(.atSign)
                ? .unreadable("it is not a login") : .skipped(reason: "it is not a login")
        }
        guard let request = login.request() else {
            return .unreadable("it contains a line break, which git refuses")
        }
        guard let item = request.intoItem(at: Timestamp(secondsSinceEpoch: 0)) else {
            return .unreadable(SkipReason.noHost)
        }
        // git may use this one, and not the earlier one.
        return isAsGitReadsIt
            ? earlier.item(item.newItem())
            : earlier.item(item.newItem(), later: ImportRecord.Content.samePlace)
    }
}

extension Span<UInt8> {
    /// Whether a line may be a login. git finds none after a `#`, but the line may still contain a
    /// password.
    fileprivate var isEntry: Bool {
        !isBlank
            && (self[0] != UInt8(ascii: "#") || indices.contains { self[$0] == UInt8(ascii: "@") })
    }
}
