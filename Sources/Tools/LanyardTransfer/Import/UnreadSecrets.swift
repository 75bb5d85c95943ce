internal import KeychainServices
internal import PlainTextFormats

/// Finds the secrets in a tool's file of which a format's reader has made no entry: they are in another place of the
/// file, or written in another way. An import that says nothing of them would look complete.
struct UnreadSecrets {
    private struct Entry {
        let ranges: [Range<Int>]
        let isSession: Bool
    }

    private var entries: [Entry] = []

    /// Adds an entry of the file.
    mutating func append(_ record: ImportRecord) {
        var isSession = false
        if case .skipped(let reason, _) = record.content {
            isSession = reason.hasPrefix(SkipReason.session)
        }
        entries.append(Entry(ranges: record.ranges, isSession: isSession))
    }

    /// Returns the lines with a secret that none of the entries is about. A further token next to one of a session belongs
    /// to the session, and so does what has no secret's name.
    ///
    /// - Parameter isRead: Whether the format reads a value with a path, although no entry is about it.
    func lines(
        in text: Span<UInt8>, _ syntax: PlainTextFormat, isRead: ([String]) -> Bool
    ) -> [Int] {
        guard syntax != .singleLine else {
            return furtherLines(in: text)
        }
        let ranges = entries.flatMap { entry in entry.ranges.map { ($0, entry.isSession) } }
            .sorted { $0.0.lowerBound < $1.0.lowerBound }
        var next = 0
        var end = 0
        var isSession = false
        var unread: [(value: PlainTextValue, certainty: SuspectedSecret.Certainty)] = []
        var sessions: Set<Int> = []
        let values = PlainTextValues.search(text, syntax)
            .sorted { $0.range.lowerBound < $1.range.lowerBound }
        var names: [Int: String] = [:]
        for value in values where ["name", "key"].contains(value.path.last) {
            names[value.parent] = text.extracting(value.range).name
        }
        for value in values {
            while next < ranges.count, ranges[next].0.lowerBound <= value.range.lowerBound {
                if ranges[next].0.upperBound >= end {
                    (end, isSession) = (ranges[next].0.upperBound, ranges[next].1)
                }
                next += 1
            }
            if value.range.lowerBound < end {
                if isSession {
                    sessions.insert(value.parent)
                }
                continue
            }
            let certainty = UnreadSecrets.certainty(value, names[value.parent], text, syntax)
            if certainty == .certain || certainty != .none && !isRead(value.path) {
                unread.append((value, certainty))
            }
        }
        var lines: [Int] = []
        for (value, certainty) in unread where lines.last != value.line {
            let isToken = value.path.last?.lowercased().contains("token") == true
            let mayBelong = certainty == .possible || certainty == .likely && isToken
            if !mayBelong || !sessions.contains(value.parent) {
                lines.append(value.line)
            }
        }
        return lines
    }

    /// - Parameter name: The `name` or the `key` next to the value, which says what a `value` is; nil without one.
    private static func certainty(
        _ value: PlainTextValue, _ name: String?, _ text: Span<UInt8>, _ syntax: PlainTextFormat
    ) -> SuspectedSecret.Certainty {
        let bytes = text.extracting(value.range)
        // A line of another form than the format's.
        guard syntax != .pgpass else {
            return bytes.isEmpty ? .none : .certain
        }
        let path =
            value.path.last == "value" ? value.path.dropLast() + [name ?? "value"] : value.path
        return SuspectedSecret.certainty(path, bytes, isVerbatim: value.isVerbatim)
    }

    /// Returns the lines of a file, whose first one is the secret, that no entry is about.
    private func furtherLines(in text: Span<UInt8>) -> [Int] {
        var lines: [Int] = []
        var scanner = LineScanner()
        while let line = scanner.next(in: text) {
            let content = text.extracting(text.withoutBlanks(line.range))
            let isRead = entries.contains { entry in
                entry.ranges.contains { $0.overlaps(line.whole) }
            }
            if !content.isEmpty, !content.starts(with: "#"), !isRead {
                lines.append(line.number)
            }
        }
        return lines
    }
}
