package import KeychainServices
package import PlainTextFormats
package import ToolCatalog

/// The passwords of package sources in NuGet.Config.
///
/// They become logins of the group `nuget`, for the addresses of the sources. The range of an entry is the element
/// with the name of the source. NuGet ignores the letter case of the keys there (CredentialsItem.cs). The corresponding
/// page of its documentation is "nuget.config reference".
package struct NuGetConfigFile: PlainReader {
    package init() {}

    package func syntax(of text: Span<UInt8>) -> PlainTextFormat? { .xml }

    package func readsSetting(_ path: [String]) -> Bool {
        path.starts(with: NuGetConfigFile.credentials) && path.last?.lowercased() == "username"
    }

    private static let sources = ["configuration", "packageSources"]
    private static let credentials = ["configuration", "packageSourceCredentials"]

    /// Reads a whole file.
    ///
    /// - Throws: ``Status/decode`` for invalid XML, what the closure throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        let values = try PlainTextValues.read(text, .xml)
            .sorted { $0.range.lowerBound < $1.range.lowerBound }
        var addresses: [String: PlainTextValue] = [:]
        var accounts: [Int: PlainTextValue] = [:]
        for value in values {
            if value.path.count == 3, value.path.starts(with: NuGetConfigFile.sources) {
                addresses[value.path[2]] = value
            }
            if value.path.last?.lowercased() == "username" {
                accounts[value.parent] = accounts[value.parent] ?? value
            }
        }
        var earlier = EarlierEntries()
        for value in values
        where value.path.count == 4 && value.path.starts(with: NuGetConfigFile.credentials) {
            let content: ImportRecord.Content
            switch value.path[3].lowercased() {
            case "cleartextpassword":
                content = NuGetConfigFile.content(
                    value, addresses[NuGetConfigFile.sourceName(value.path[2])],
                    accounts[value.parent], text, &earlier)
            case "password":
                content = .skipped(reason: "it is encrypted by Windows", hasSecret: false)
            default: continue
            }
            // What else is in the element, which is removed as a whole.
            let unread = UnreadParts(besides: [])
            for other in values.within(value.removal) {
                let name = other.path.last ?? ""
                if !["username", "cleartextpassword"].contains(name.lowercased()) {
                    unread.note(ByteString(name))
                }
            }
            for content in [content] + (content.isItem ? unread.losses : []).map({ .without($0) }) {
                try body(ImportRecord(line: value.line, range: value.removal, content: content))
            }
        }
    }

    private static func content(
        _ password: PlainTextValue, _ address: PlainTextValue?, _ account: PlainTextValue?,
        _ text: Span<UInt8>, _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        // NuGet replaces `%NAME%` by a variable.
        guard !VariableForm.percentSigns.isIn(text.extracting(password.range)) else {
            return .skipped(reason: "it names a variable", hasSecret: false)
        }
        guard let address, let account,
            let url = text.extracting(address.range).xmlCharacters.text,
            let login = ToolLogin(
                "nuget", url: url, account: text.extracting(account.range).xmlCharacters.text)
        else {
            return .unreadable(
                account == nil
                    ? "it has no user name" : "its source has no address in the file")
        }
        guard let secret = text.extracting(password.range).xmlCharacters else {
            return .unreadable("it has an unknown entity")
        }
        return login.content(secret, &earlier)
    }

    /// Returns the name of a source from that of its element, which has `_x0020_` for a space.
    private static func sourceName(_ element: String) -> String {
        var name = ""
        var rest = element[...]
        while let first = rest.first {
            let code = rest.dropFirst(2).prefix(4)
            if rest.hasPrefix("_x"), code.utf8.count == 4, rest.dropFirst(6).first == "_",
                code.allSatisfy(\.isHexDigit), let number = UInt32(code, radix: 16),
                let scalar = Unicode.Scalar(number)
            {
                name.unicodeScalars.append(scalar)
                rest = rest.dropFirst(7)
            } else {
                name.append(first)
                rest = rest.dropFirst()
            }
        }
        return name
    }
}

extension NuGetTool: ReadTool {
    package typealias Reader = NuGetConfigFile
}
