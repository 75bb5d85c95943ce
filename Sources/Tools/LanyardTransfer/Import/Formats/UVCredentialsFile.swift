package import KeychainServices
package import PlainTextFormats
package import ToolCatalog

/// The file credentials.toml of uv: a table `[[credential]]` for each server.
///
/// Passwords become logins of servers in the group `keyring`: uv asks keyring for the address of an index below.
/// The range of an entry is its table. The corresponding command is `uv auth login`.
package struct UVCredentialsFile: PlainReader {
    package init() {}

    package func syntax(of text: Span<UInt8>) -> PlainTextFormat? { .toml }

    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        // uv refuses what is no TOML.
        _ = try PlainTextValues.read(text, .toml)
        let settings = SettingLines(text, isQuoted: true)
        let linesOfSections = settings.linesOfSections
        var earlier = EarlierEntries()
        for (number, section) in settings.sections.enumerated()
        where section.isElement && section.name == "credential" {
            let lines = linesOfSections[number] ?? []
            let unread = UnreadParts(besides: UVCredentialsFile.keys)
            for line in lines where !text.extracting(line.value).isEmpty {
                unread.note(line.key)
            }
            let content =
                settings.others(in: section).first.map {
                    .unreadable("its line \($0.number) is not a setting")
                } ?? UVCredentialsFile.content(lines, text, &earlier)
            for content in [content] + (content.isItem ? unread.losses : []).map({ .without($0) }) {
                try body(
                    ImportRecord(line: section.number, range: section.range, content: content))
            }
        }
    }

    private static let keys: Set<ByteString> = ["service", "username", "scheme", "password"]

    private static func content(
        _ lines: [SettingLine], _ text: Span<UInt8>, _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        func value(_ key: ByteString) -> ByteString? {
            lines.last { $0.key == key }.map { ByteString(copying: text.extracting($0.value)) }
        }
        guard value("scheme")?.lowercasedASCII != "bearer" else {
            return .unreadable("it is a bearer token, and uv asks keyring only for passwords")
        }
        guard Set(lines.map(\.key)).count == lines.count else {
            return .unreadable("it has a key twice, which uv refuses")
        }
        guard let password = lines.last(where: { $0.key == "password" }) else {
            return .unreadable(SkipReason.noPassword)
        }
        // Other strings of TOML have none.
        guard
            !lines.contains(where: { line in
                keys.contains(line.key) && !line.isQuoted || !line.isWhole
                    || line.hasEscapes && text[line.value.lowerBound - 1] == UInt8(ascii: "\"")
            })
        else {
            return .unreadable("it has escapes or several lines")
        }
        guard let service = value("service"),
            let login = ToolLogin("keyring", url: service, account: value("username"))
        else {
            return .unreadable("its service is not a URL")
        }
        return login.content(Secret(copying: text.extracting(password.value)), &earlier)
    }
}

extension UVTool: ReadTool {
    package typealias Reader = UVCredentialsFile
}
