package import KeychainServices
package import PlainTextFormats

/// The file credentials.toml of cargo: a token for each registry.
///
/// Tokens become items of the group `cargo`, keyed by the registry's index. The file names registries only; their
/// indexes are in cargo's configuration. The corresponding page of cargo's book is "Configuration", under "Credentials".
package struct CargoCredentialsFile: ImportFormat {
    private var indexes: [String: ByteString] = [
        "crates-io": "sparse+https://index.crates.io/"
    ]

    /// Creates the format, which knows the index of crates.io only.
    package init() {}

    /// Creates the format.
    ///
    /// - Parameter configuration: cargo's configuration, which has the registries' indexes.
    package init(configuration: borrowing Secret) {
        configuration.withBytes { text in
            for value in PlainTextValues.search(text, .toml)
            where value.path.first == "registries" {
                let bytes = text.extracting(value.range)
                switch value.path.dropFirst() {
                case let path where path.count == 2 && path.last == "index" && value.isVerbatim:
                    indexes[value.path[1]] = ByteString(copying: bytes)
                case let path where path.count == 1:
                    indexes[value.path[1]] = bytes.indexInTable ?? indexes[value.path[1]]
                default: break
                }
            }
        }
    }

    package func syntax(of text: Span<UInt8>) -> PlainTextFormat? { .toml }

    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        var earlier = EarlierEntries()
        for value in try PlainTextValues.read(text, .toml) {
            let path = value.path
            guard path.last == "token", let name = CargoCredentialsFile.registry(path.dropLast())
            else {
                continue
            }
            try body(
                ImportRecord(
                    line: value.line, range: value.removal,
                    content: content(name, value, text, &earlier)))
        }
    }

    private func content(
        _ name: String, _ value: PlainTextValue, _ text: Span<UInt8>,
        _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        guard value.isVerbatim else {
            return .unreadable("its token has escapes or several lines")
        }
        guard var index = indexes[name] else {
            return .failed(
                KeychainError(.param, "cargo's configuration has no index for its registry"))
        }
        let sparse = Array("sparse+".utf8)
        if index.bytes.starts(with: sparse) {
            index = ByteString(Array(index.bytes.dropFirst(sparse.count)))
        }
        guard let url = ServerURL(withoutUserOf: index) else {
            return .failed(KeychainError(.param, "the index of its registry is not a URL"))
        }
        return ToolLogin("cargo", url: url).content(
            Secret(copying: text.extracting(value.range)), &earlier)
    }

    /// Returns the name of the registry whose table is at a path.
    private static func registry(_ path: ArraySlice<String>) -> String? {
        switch path.first {
        case "registry" where path.count == 1: "crates-io"
        case "registries" where path.count == 2: path.last
        default: nil
        }
    }
}

extension Span where Element == UInt8 {
    /// The `index` in an inline table of TOML, `{ index = "…" }`.
    fileprivate var indexInTable: ByteString? {
        for member in inlineMembers {
            let bytes = extracting(member)
            if let line = SettingLines(bytes, isQuoted: true).lines.first, line.key == "index",
                line.isQuoted, line.isWhole, !line.hasEscapes
            {
                return ByteString(copying: bytes.extracting(line.value))
            }
        }
        return nil
    }

    /// The members of an inline table, empty for another value.
    private var inlineMembers: [Range<Int>] {
        guard starts(with: "{") else {
            return []
        }
        var members: [Range<Int>] = []
        var start = 1
        var depth = 1
        var index = 1
        while index < count, depth > 0 {
            switch self[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                index = unquoted(index..<count).upperBound
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            if index < count, depth == 0 || depth == 1 && self[index] == .comma {
                members.append(start..<index)
                start = index + 1
            }
            index += 1
        }
        return members
    }
}
