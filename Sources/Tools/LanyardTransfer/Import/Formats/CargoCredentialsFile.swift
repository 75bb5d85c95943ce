package import KeychainServices
internal import LinuxSystem
package import PlainTextFormats
package import ToolCatalog

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
            for value in (try? PlainTextValues.read(text, .toml)) ?? []
            where value.path.first == "registries" {
                if value.path.count == 3, value.path[2] == "index" {
                    indexes[value.path[1]] = value.bytes(in: text).map { ByteString(Array($0)) }
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
        guard let token = value.bytes(in: text) else {
            return .unreadable("its token is not a text")
        }
        guard var index = indexes[name] else {
            return .failed(
                KeychainError(
                    .param, "cargo's configuration has no index for its registry",
                    hint: "add it to cargo's config.toml, or lanyard set --for cargo URL"))
        }
        let sparse = Array("sparse+".utf8)
        if index.bytes.starts(with: sparse) {
            index = ByteString(Array(index.bytes.dropFirst(sparse.count)))
        }
        guard let url = ServerURL(withoutUserOf: index) else {
            return .failed(KeychainError(.param, "the index of its registry is not a URL"))
        }
        return ToolLogin("cargo", url: url).content(token.secret, &earlier)
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

extension CargoTool: ReadTool {
    package static func reader(
        of path: String?, _ variable: (String) -> String?
    ) throws(KeychainError) -> CargoCredentialsFile {
        guard let folder = path.map(PrivatePlace.folder) else {
            return CargoCredentialsFile()
        }
        // Next to a file with the old name cargo reads no config.toml.
        let older = "\(folder)/\(olderConfiguration)"
        let isThere = (try? SystemCalls.statusBehindLinks(at: older))?.kind == .file
        var format = CargoCredentialsFile()
        try KeychainError.ignoring(.itemNotFound) { () throws(KeychainError) in
            let configuration = try PlainTextFile(
                isThere ? older : "\(folder)/config.toml", isForChange: false)
            format = CargoCredentialsFile(configuration: configuration.bytes)
        }
        return format
    }
}
