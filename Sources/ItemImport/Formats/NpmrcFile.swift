public import KeychainServices
internal import PlainTextFormats

/// The tokens of registries in .npmrc: lines `//HOST/PATH/:_authToken=TOKEN`.
///
/// They become items of the group of pnpm's helper. A token that is a reference to a variable, `${NAME}`, is skipped.
/// The corresponding manual page is npmrc(5).
public struct NpmrcFile: ImportFormat {
    /// Creates the format, which has no settings.
    public init() {}

    /// Reads a whole file.
    ///
    /// - Throws: What the closure throws.
    public func read(
        _ file: borrowing Secret,
        _ body: (ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let ending = Array(":_authToken".utf8)
        try file.withBytes { text throws(KeychainError) in
            var earlier = EarlierEntries()
            for line in SettingLines(text, isQuoted: true).lines
            where line.key.bytes.starts(with: "//".utf8) && line.key.bytes.ends(with: ending) {
                let address = ByteString(
                    Array("https:".utf8) + line.key.bytes.dropLast(ending.count))
                let token = text.extracting(line.value)
                let isReference = token.firstIndex(of: "${") != nil
                let content =
                    isReference || line.hasEscapes
                    ? .skipped(reason: "its token is not in the file")
                    : ToolLogin("npm", url: address)?.content(Secret(copying: token), &earlier)
                try body(
                    ImportRecord(
                        line: line.line.number, range: line.line.whole,
                        content: content ?? .skipped(reason: SkipReason.noHost)))
            }
        }
    }
}

extension Array where Element == UInt8 {
    fileprivate func ends(with bytes: [UInt8]) -> Bool {
        count >= bytes.count && suffix(bytes.count).elementsEqual(bytes)
    }
}
