package import KeychainServices
package import PlainTextFormats
internal import StrictJSON

/// The logins in docker's config.json and podman's auth.json: the member `auths`.
///
/// Items are those that `docker-credential-lanyard` would store for the same logins, in the access group
/// `docker`: a password under the user's name, an identity token under `<token>`. A registry without a
/// login, `{}`, does not count as an entry: docker itself writes it if a helper stores the login.
///
/// If two registry names differ only in white space around them, the later one is skipped. The range of an
/// entry is the text between the braces of its registry.
///
/// The corresponding manual page of podman is containers-auth.json(5), the code of docker's client is in
/// cli/config.
package struct DockerConfigFile: ImportFormat {
    package init() {}

    /// Reads a whole file. Invalid JSON or another shape yields no entries.
    ///
    /// - Throws: ``Status/decode``, with the number of the byte instead of the line, what the closure
    ///   throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        // What a write that was interrupted leaves.
        guard !text.isBlank else {
            return
        }
        try readRegistries(text) { _ throws(KeychainError) in }
        try readRegistries(text, body)
    }

    /// Returns the position of a registry's entry, without a login that its name may have.
    private static func place(_ url: ByteString) -> String {
        let bytes = url.bytes.span
        let text = bytes.extracting(droppingFirst: bytes.lastIndex(of: .atSign).map { $0 + 1 } ?? 0)
        let name = ByteString(copying: text).cut(to: 200).description
        return "registry '\(name.filter { $0 >= " " && $0 != "\u{7F}" })'"
    }

    package func syntax(of text: Span<UInt8>) -> PlainTextFormat? { .json }

    private func readRegistries(
        _ text: Span<UInt8>, _ body: ImportRecord.Body
    ) throws(KeychainError) {
        var earlier = EarlierEntries()
        try JSONReader.readObject(text) {
            name, reader throws(KeychainError) in
            guard name.lowercasedASCII == "auths", try !reader.readNull() else {
                return
            }
            guard try reader.kind == .object else {
                return try other(&reader, "member 'auths'", body)
            }
            try reader.readObject { url, reader throws(KeychainError) in
                let start = reader.offset
                guard try reader.kind == .object else {
                    return try other(&reader, DockerConfigFile.place(url), body)
                }
                guard let login = try RegistryLogin(from: &reader) else {
                    return
                }
                let unread = login.unread
                let content = login.content(url, &earlier)
                let losses = content.isItem ? unread.losses : []
                // Without the braces.
                let range = start + 1..<reader.offset - 1
                for content in [content] + losses.map({ .without($0) }) {
                    try body(
                        ImportRecord(
                            place: DockerConfigFile.place(url), range: range, content: content))
                }
            }
        }
    }

    /// Reads a value of another kind than docker writes.
    private func other(
        _ reader: inout JSONReader, _ place: String, _ body: ImportRecord.Body
    ) throws(KeychainError) {
        if try reader.skipContent() {
            try body(
                ImportRecord(place: place, range: nil, content: .unreadable(SkipReason.noObject)))
        }
    }
}
