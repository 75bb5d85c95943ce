package import KeychainServices
package import PlainTextFormats
internal import StrictJSON
package import ToolCatalog

/// The tokens of registries in .npmrc: lines `//HOST/PATH/:_authToken=TOKEN`.
///
/// Of two lines for one address the last one counts. They become items of the group of pnpm's helper. A token that is a reference to a variable, `${NAME}`, is skipped.
/// The corresponding manual page is npmrc(5).
package struct NpmrcFile: PlainReader {
    package init() {}

    /// npm takes the last one.
    package var precedence: Precedence { .last }

    package func syntax(of text: Span<UInt8>) -> PlainTextFormat? { .ini }

    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        var earlier = EarlierEntries(precedence)
        // The keys whose last line has no secret.
        var withoutSecret: Set<ByteString> = []
        var records: [ImportRecord] = []
        for line in SettingLines(text).lines.reversed() {
            guard let kind = Kind(line.key) else {
                continue
            }
            let content: ImportRecord.Content
            if line.section != nil {
                content = .unreadable("it is in a section, so npm ignores it")
            } else if withoutSecret.contains(line.key) {
                content = .skipped(reason: "npm takes a later line, which has no token")
            } else {
                content = NpmrcFile.content(kind, line, text, &earlier)
                if case .skipped(_, hasSecret: false) = content {
                    withoutSecret.insert(line.key)
                }
            }
            records.append(
                ImportRecord(line: line.line.number, range: line.line.whole, content: content))
        }
        for record in records.reversed() {
            try body(record)
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
        guard let value = text.extracting(line.value).npmValue else {
            return .unreadable("its token has quotation marks that don't match")
        }
        guard !value.withBytes({ VariableForm.braces.isIn($0) }) else {
            return .skipped(reason: "its token is not in the file", hasSecret: false)
        }
        switch kind {
        case .token(let address):
            return ToolLogin("npm", url: address)?.content(value, &earlier)
                ?? .unreadable(SkipReason.noHost)
        case .password: return .unreadable("pnpm takes only tokens from a helper")
        case .ofAnyRegistry: return .unreadable("it names no registry, so npm ignores it")
        }
    }
}

extension Span where Element == UInt8 {
    /// A value as npm's reader of settings has it: JSON in double quotes, as it is in single ones, else up to a comment,
    /// with `\\`, `\;` and `\#` for these characters. Nil for marks at one end only, as of a file that was cut off.
    ///
    /// The corresponding function is `unsafe` of npm's package ini.
    fileprivate var npmValue: Secret? {
        if count > 1, self[0] == UInt8(ascii: "'"), self[count - 1] == UInt8(ascii: "'") {
            return Secret(copying: extracting(1..<count - 1))
        }
        if count > 1, self[0] == .quotationMark, self[count - 1] == .quotationMark {
            return try? JSONReader.read(self) { reader throws(KeychainError) in
                try reader.readSecret()
            }
        }
        if count > 0, self[0] == UInt8(ascii: "'") || self[0] == .quotationMark {
            return nil
        }
        var value = SecretBuilder(capacity: count)
        var index = 0
        while index < count, self[index] != UInt8(ascii: ";"), self[index] != UInt8(ascii: "#") {
            if self[index] == .backslash, index + 1 < count,
                [.backslash, UInt8(ascii: ";"), UInt8(ascii: "#")].contains(self[index + 1])
            {
                index += 1
            }
            value.append(self[index])
            index += 1
        }
        return value.finish().withBytes { Secret(copying: $0.extracting($0.withoutWhitespace)) }
    }
}

extension NpmTool: ReadTool {
    package typealias Reader = NpmrcFile
}
