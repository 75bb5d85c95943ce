import LanyardTransfer
import KeychainServices

/// A form of file that is easily written: `NAME SECRET` in each line, `-` for an entry that is skipped and
/// `=` for one that is shadowed, with a secret of its own or, without one, that of an earlier entry.
struct LineFormat: ImportFormat {
    /// Whether single entries can be removed.
    var hasRanges = true
    /// Whether all entries are one login, with the ranges of all.
    var isOneLogin = false

    func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        let text = String(decoding: ByteString(copying: text).bytes, as: UTF8.self)
        var start = 0
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let end = min(start + line.utf8.count + 1, text.utf8.count)
            defer { start = end }
            let words = line.split(separator: " ", maxSplits: 1)
            guard let name = words.first else {
                continue
            }
            let content: ImportRecord.Content
            switch name {
            case "-": content = .skipped(reason: "it says so")
            case "=": content = .shadowed(isSame: words.count == 1)
            default:
                var attributes = ItemAttributes()
                attributes.service = ByteString(String(name))
                content = .item(
                    NewItem(
                        .genericPassword, attributes,
                        secret: Secret(words.count > 1 ? String(words[1]) : "")))
            }
            let range = isOneLogin ? 0..<text.utf8.count : start..<end
            try body(
                ImportRecord(
                    line: index + 1, range: hasRanges ? range : nil, content: content))
        }
    }
}
