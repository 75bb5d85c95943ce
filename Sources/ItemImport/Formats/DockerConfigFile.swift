package import KeychainServices
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
        try readRegistries(text) { _ throws(KeychainError) in }
        try readRegistries(text, body)
    }

    private func readRegistries(
        _ text: Span<UInt8>, _ body: ImportRecord.Body
    ) throws(KeychainError) {
        var number = 0
        var earlier = EarlierEntries()
        try JSONReader.readObject(text) { name, reader throws(KeychainError) in
            guard name.lowercasedASCII == "auths", try !reader.readNull() else {
                return
            }
            try reader.readObject { url, reader throws(KeychainError) in
                number += 1
                let start = reader.offset
                guard
                    let content = try RegistryLogin(from: &reader)?.content(url, &earlier)
                else {
                    return
                }
                // Without the braces.
                let range = start + 1..<reader.offset - 1
                try body(
                    ImportRecord(place: "entry \(number)", range: range, content: content))
            }
        }
    }
}
