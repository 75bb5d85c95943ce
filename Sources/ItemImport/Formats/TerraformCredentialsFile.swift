package import KeychainServices
internal import PlainTextFormats
internal import StrictJSON

/// The file ~/.terraform.d/credentials.tfrc.json: a token for each host, in the member `credentials`; or ~/.terraformrc,
/// with a block `credentials` for each host.
///
/// Tokens become items of the group `terraform`. Single entries can't be removed from a file of JSON. The corresponding
/// page of Terraform's documentation is "CLI Configuration File", under "Credentials".
package struct TerraformCredentialsFile: ImportFormat {
    package init() {}

    /// Reads a whole file. Invalid JSON or another shape of it yields no entries.
    ///
    /// - Throws: ``Status/decode``, what the closure throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        let start = text.withoutWhitespace
        guard start.isEmpty || text[start.lowerBound] == UInt8(ascii: "{") else {
            return try readBlocks(text, body)
        }
        try readHosts(text) { _ throws(KeychainError) in }
        try readHosts(text, body)
    }

    private func readBlocks(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        var earlier = EarlierEntries()
        for value in try PlainTextValues.read(text, .hcl) {
            guard value.path.count == 3, value.path[0] == "credentials", value.path[2] == "token"
            else {
                continue
            }
            try body(
                ImportRecord(
                    line: value.line, range: value.removal,
                    content: content(value, text, &earlier)))
        }
    }

    private func content(
        _ value: PlainTextValue, _ text: Span<UInt8>, _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        guard value.isVerbatim else {
            return .skipped(reason: "its token has escapes or variables")
        }
        guard let login = ToolLogin("terraform", url: ByteString(value.path[1])) else {
            return .skipped(reason: SkipReason.noHost)
        }
        return login.content(Secret(copying: text.extracting(value.range)), &earlier)
    }

    private func readHosts(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        var number = 0
        var earlier = EarlierEntries()
        try JSONReader.readObject(text) { name, reader throws(KeychainError) in
            guard name == "credentials" else {
                return
            }
            try reader.readObject { host, reader throws(KeychainError) in
                number += 1
                var content = ImportRecord.Content.skipped(
                    reason: SkipReason.noPassword, hasSecret: false)
                try reader.readObject { name, reader throws(KeychainError) in
                    guard name == "token" else {
                        return
                    }
                    let token = try reader.readSecret()
                    guard let login = ToolLogin("terraform", url: host) else {
                        content = .skipped(reason: SkipReason.noHost)
                        return
                    }
                    content = login.content(token, &earlier)
                }
                try body(
                    ImportRecord(place: "entry \(number)", range: nil, content: content))
            }
        }
    }
}
