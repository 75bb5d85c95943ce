package import KeychainServices
internal import PlainTextFormats

/// The output of `security dump-keychain -d` on a Mac.
///
/// Items keep their attributes, including dates, and are in the access group `login`. Certificates, keys
/// and other items that are not passwords are skipped, and so is an item whose secret is not in the dump.
/// The range of an entry is all of it, from its line `keychain:` to the next one.
///
/// The corresponding code of Apple's is in SecurityTool, keychain_utilities.c: a text of printable
/// characters is quoted unchanged, any other one is written as hexadecimal digits.
package struct KeychainDumpFile: ImportFormat {
    package init() {}

    /// Reads a whole file.
    ///
    /// - Throws: ``Status/decode`` unless it starts with a line `keychain:`; what the closure throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        var lines = LineScanner()
        var earlier = EarlierEntries()
        var block: KeychainDumpBlock?
        while let line = lines.next(in: text) {
            if text.extracting(line.range).starts(with: "keychain:") {
                if let block {
                    try pass(block, end: line.range.lowerBound, in: text, &earlier, body)
                }
                block = KeychainDumpBlock(line)
            } else if block != nil {
                block?.take(line, in: text)
            } else if !text.extracting(line.range).isBlank {
                throw KeychainError(
                    .decode, "line \(line.number) should be 'keychain:'",
                    hint: "make a dump with 'security dump-keychain -d'")
            }
        }
        if let block {
            try pass(block, end: text.count, in: text, &earlier, body)
        }
    }

    /// Passes what an item becomes to a closure.
    private func pass(
        _ block: KeychainDumpBlock, end: Int, in text: Span<UInt8>,
        _ earlier: inout EarlierEntries, _ body: ImportRecord.Body
    ) throws(KeychainError) {
        let content = content(of: block, in: text, &earlier)
        let losses = content.isItem ? block.unread.losses : []
        for content in [content] + losses.map({ .without($0) }) {
            try body(
                ImportRecord(
                    place: "line \(block.line)", range: block.start..<end, content: content))
        }
    }

    private func content(
        of block: KeychainDumpBlock, in text: Span<UInt8>, _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        guard let itemClass = block.itemClass(in: text) else {
            return .skipped(reason: "it is not a password", hasSecret: block.isPrivate(in: text))
        }
        guard let secret = block.secret(in: text) else {
            return .skipped(reason: "its password is not in the dump")
        }
        guard secret.count > 0 else {
            return .skipped(reason: SkipReason.noPassword, hasSecret: false)
        }
        let attributes = block.attributes(of: itemClass, in: text)
        return earlier.item(NewItem(itemClass, attributes, secret: secret))
    }
}
