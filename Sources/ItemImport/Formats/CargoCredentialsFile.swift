package import KeychainServices
internal import PlainTextFormats

/// The file credentials.toml of cargo: a token for each registry.
///
/// Tokens become items of the group `cargo`, keyed by the registry's index. The file names registries only; their
/// indexes are in cargo's configuration. The corresponding page of cargo's book is "Configuration", under "Credentials".
package struct CargoCredentialsFile: ImportFormat {
    private var indexes: [ByteString: ByteString] = [
        "crates-io": "sparse+https://index.crates.io/"
    ]

    /// Creates the format, which knows the index of crates.io only.
    package init() {}

    /// Creates the format.
    ///
    /// - Parameter configuration: cargo's configuration, which has the registries' indexes.
    package init(configuration: borrowing Secret) {
        configuration.withBytes { text in
            let settings = SettingLines(text, isQuoted: true)
            for line in settings.lines where line.key == "index" && line.isWhole {
                if let name = settings.section(of: line).flatMap(CargoCredentialsFile.registry) {
                    indexes[name] = ByteString(copying: text.extracting(line.value))
                }
            }
        }
    }

    package func read(
        _ text: Span<UInt8>,
        _ body: (ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var earlier = EarlierEntries()
        let settings = SettingLines(text, isQuoted: true)
        for line in settings.lines where line.key == "token" {
            let section = settings.section(of: line)
            let name =
                section == "registry"
                ? "crates-io" : section.flatMap(CargoCredentialsFile.registry)
            guard let name else {
                continue
            }
            try body(
                ImportRecord(
                    line: line.line.number, range: line.line.whole,
                    content: content(name, line, text, &earlier)))
        }
    }

    private func content(
        _ name: ByteString, _ line: SettingLine, _ text: Span<UInt8>,
        _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        guard line.isWhole, !line.hasEscapes else {
            return .skipped(reason: "its token has escapes or several lines")
        }
        guard var index = indexes[name] else {
            return .failed(
                KeychainError(.param, "cargo's configuration has no index for its registry"))
        }
        let sparse = Array("sparse+".utf8)
        if index.bytes.starts(with: sparse) {
            index = ByteString(Array(index.bytes.dropFirst(sparse.count)))
        }
        guard let login = ToolLogin("cargo", url: index) else {
            return .failed(KeychainError(.param, "the index of its registry is not a URL"))
        }
        return login.content(Secret(copying: text.extracting(line.value)), &earlier)
    }

    /// Returns the name in the section of a registry, `registries.NAME`.
    private static func registry(_ section: ByteString) -> ByteString? {
        let prefix = Array("registries.".utf8)
        guard section.bytes.starts(with: prefix) else {
            return nil
        }
        return ByteString(section.bytes.dropFirst(prefix.count).filter { $0 != .quotationMark })
    }
}
