internal import KeychainServices
internal import PlainTextFormats

/// Finds the secrets in a tool's file of which a format's reader has made no entry: they are in another place of the
/// file, or written in another way. An import that says nothing of them would look complete.
struct UnreadSecrets {
    private struct Entry {
        let ranges: [Range<Int>]
        let isSkipped: Bool
    }

    private var entries: [Entry] = []
    private var hasEntryWithoutPlace = false

    /// Adds an entry of the file.
    mutating func append(_ record: ImportRecord) {
        var isSkipped = false
        if case .skipped = record.content {
            isSkipped = true
        }
        hasEntryWithoutPlace = hasEntryWithoutPlace || record.ranges.isEmpty
        entries.append(Entry(ranges: record.ranges, isSkipped: isSkipped))
    }

    /// Returns the lines with a secret that none of the entries is about. Next to a secret that was skipped, such as
    /// that of a session, others are of its kind.
    ///
    /// - Parameter isRead: Whether the format reads a value with a path, although no entry is about it.
    func lines(
        in text: Span<UInt8>, _ syntax: PlainTextFormat, isRead: ([String]) -> Bool
    ) -> [Int] {
        // Where an entry is, is unknown; without any it is clear.
        guard !hasEntryWithoutPlace else {
            return []
        }
        let ranges = entries.flatMap { entry in entry.ranges.map { ($0, entry.isSkipped) } }
            .sorted { $0.0.lowerBound < $1.0.lowerBound }
        var next = 0
        var end = 0
        var isSkipped = false
        var unread: [PlainTextValue] = []
        var skippedParents: Set<Int> = []
        let values = PlainTextValues.search(text, syntax)
            .sorted { $0.range.lowerBound < $1.range.lowerBound }
        for value in values {
            while next < ranges.count, ranges[next].0.lowerBound <= value.range.lowerBound {
                if ranges[next].0.upperBound >= end {
                    (end, isSkipped) = (ranges[next].0.upperBound, ranges[next].1)
                }
                next += 1
            }
            if value.range.lowerBound < end {
                if isSkipped {
                    skippedParents.insert(value.parent)
                }
            } else if !isRead(value.path), UnreadSecrets.hasSecret(value, text, syntax) {
                unread.append(value)
            }
        }
        var lines: [Int] = []
        for value in unread
        where !skippedParents.contains(value.parent) && lines.last != value.line {
            lines.append(value.line)
        }
        return lines
    }

    private static func hasSecret(
        _ value: PlainTextValue, _ text: Span<UInt8>, _ syntax: PlainTextFormat
    ) -> Bool {
        let bytes = text.extracting(value.range)
        // A line of another form than the format's.
        guard syntax != .pgpass else {
            return bytes.count > 0
        }
        if value.path.last.map(isSecretName) == true {
            return value.isVerbatim ? bytes.isSecret && !bytes.isSwitch : !bytes.isReference
        }
        let isComposite = !value.isVerbatim || bytes.starts(with: "{") || bytes.starts(with: "[")
        return isComposite && bytes.hasNamedSecret
    }

    /// Whether a setting with a name is a secret.
    private static func isSecretName(_ name: String) -> Bool {
        let name = name.lowercased()
        return names.contains(name) || endings.contains { name.hasSuffix($0) }
    }

    private static let names: Set<String> = ["auth", "pass", "authorization"]
    private static let endings = [
        "password", "passwd", "passphrase", "token", "secret", "apikey", "api_key", "api-key",
        "access_key", "secret_key", "secretkey", "private_key", "privatekey", "_auth",
    ]
}

extension Span where Element == UInt8 {
    /// Whether a value only switches something on or off.
    fileprivate var isSwitch: Bool {
        let value = extracting(withoutBlanks)
        return value.equalsIgnoringCase("true") || value.equalsIgnoringCase("false")
            || value.equalsIgnoringCase("yes") || value.equalsIgnoringCase("no")
            || value.equals("0") || value.equals("1")
    }

    /// Whether a value names a secret elsewhere, or is none.
    fileprivate var isReference: Bool {
        starts(with: "$") || starts(with: "lanyard:") || equals("null") || equals("~")
            || equals("{}") || equals("[]") || isSwitch
    }

    /// Whether a text, such as an inline table, has a setting whose name is that of a secret: `{token: abc}`.
    fileprivate var hasNamedSecret: Bool {
        hasSetting("token") || hasSetting("password") || hasSetting("secret")
            || hasSetting("apikey") || hasSetting("api_key") || hasSetting("client-key-data")
            || hasSetting("auth") || hasSetting("access_key") || hasSetting("key")
    }

    private func hasSetting(_ letters: StaticString) -> Bool {
        let count = letters.utf8CodeUnitCount
        var start = 0
        while start + count < self.count {
            if extracting(start..<start + count).equalsIgnoringCase(letters) {
                var end = start + count
                while end < self.count, self[end].isBlank || "\"'".utf8.contains(self[end]) {
                    end += 1
                }
                if end < self.count, ":=".utf8.contains(self[end]) {
                    return true
                }
            }
            start += 1
        }
        return false
    }
}
