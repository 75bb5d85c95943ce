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
        let values = try PlainTextValues.read(text, .toml).filter { $0.path.first == "credential" }
        var earlier = EarlierEntries()
        var (rest, outside) = (values[...], ArraySlice<PlainTextValue>())
        for section in PlainTextValues.sections(text, isTOML: true)
        where section.isElement && section.name == "credential" {
            // Both are in the file's order.
            let before = rest.prefix { $0.range.lowerBound < section.range.lowerBound }
            let own = rest.dropFirst(before.count)
                .prefix { $0.range.lowerBound < section.range.upperBound }
            outside += before
            rest = rest.dropFirst(before.count + own.count)
            let unread = UnreadParts(besides: UVCredentialsFile.keys)
            for value in own where value.path.count > 2 && !value.range.isEmpty {
                unread.note(ByteString(value.path[2]))
            }
            let content = UVCredentialsFile.content(Array(own), text, &earlier)
            for content in [content] + (content.isItem ? unread.losses : []).map({ .without($0) }) {
                try body(
                    ImportRecord(line: section.line, range: section.range, content: content))
            }
        }
        for value in outside + rest where value.path.last == "password" {
            try body(
                ImportRecord(
                    line: value.line, range: value.range,
                    content: .unreadable("it is in no table [[credential]]")))
        }
    }

    private static let keys: Set<ByteString> = ["service", "username", "scheme", "password"]

    private static func content(
        _ values: [PlainTextValue], _ text: Span<UInt8>, _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        let own = values.filter { $0.path.count == 3 }
        func bytes(_ key: String) -> FileBytes? {
            own.last { $0.path[2] == key }?.bytes(in: text)
        }
        func value(_ key: String) -> ByteString? {
            bytes(key).map { bytes in bytes.withBytes { ByteString(copying: $0) } }
        }
        guard value("scheme")?.lowercasedASCII != "bearer" else {
            return .unreadable("it is a bearer token, and uv asks keyring only for passwords")
        }
        guard Set(own.map { $0.path[2] }).count == own.count else {
            return .unreadable("it has a key twice, which uv refuses")
        }
        guard own.contains(where: { $0.path[2] == "password" }) else {
            return .unreadable(SkipReason.noPassword)
        }
        guard let password = bytes("password"),
            !own.contains(where: { keys.contains(ByteString($0.path[2])) && !$0.isRead })
        else {
            return .unreadable("one of its values is no text")
        }
        guard let service = value("service"),
            let login = ToolLogin("keyring", url: service, account: value("username"))
        else {
            return .unreadable("its service is not a URL")
        }
        return login.content(password.secret, &earlier)
    }
}

extension UVTool: ReadTool {
    package typealias Reader = UVCredentialsFile
}
