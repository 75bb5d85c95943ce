package import KeychainServices
internal import PlainTextFormats

/// The tokens of registries in .npmrc: lines `//HOST/PATH/:_authToken=TOKEN`.
///
/// They become items of the group of pnpm's helper. A token that is a reference to a variable, `${NAME}`, is skipped.
/// The corresponding manual page is npmrc(5).
package struct NpmrcFile: ImportFormat {
    package init() {}

    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        var earlier = EarlierEntries()
        for line in SettingLines(text, isQuoted: true).lines {
            guard let kind = Kind(line.key) else {
                continue
            }
            try body(
                ImportRecord(
                    line: line.line.number, range: line.line.whole,
                    content: NpmrcFile.content(kind, line, text, &earlier)))
        }
    }

    /// What a line has.
    private enum Kind {
        /// A token for an address.
        case token(ByteString)
        /// A password for an address.
        case password
        /// A secret for whatever the registry is.
        case ofAnyRegistry

        init?(_ key: ByteString) {
            let words = key.bytes.split(separator: .colon).map { ByteString(Array($0)) }
            guard let last = words.last, ["_authToken", "_auth", "_password"].contains(last) else {
                return nil
            }
            guard key.bytes.starts(with: "//".utf8) else {
                self = .ofAnyRegistry
                return
            }
            let address = key.bytes.dropLast(last.bytes.count + 1)
            self =
                last == "_authToken"
                ? .token(ByteString(Array("https:".utf8) + address)) : .password
        }
    }

    private static func content(
        _ kind: Kind, _ line: SettingLine, _ text: Span<UInt8>, _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        let value = text.extracting(line.value)
        guard value.firstIndex(of: "${") == nil else {
            return .skipped(reason: "its token is not in the file", hasSecret: false)
        }
        guard line.isWhole, !line.hasEscapes else {
            return .skipped(reason: "its token has escapes or several lines")
        }
        switch kind {
        case .token(let address):
            return ToolLogin("npm", url: address)?.content(Secret(copying: value), &earlier)
                ?? .skipped(reason: SkipReason.noHost)
        case .password: return .skipped(reason: "pnpm takes only tokens from a helper")
        case .ofAnyRegistry: return .skipped(reason: "it names no registry, so npm ignores it")
        }
    }
}
