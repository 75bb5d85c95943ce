package import KeychainServices
internal import StrictJSON

/// The file ~/.terraform.d/credentials.tfrc.json: a token for each host, in the member `credentials`.
///
/// Tokens become items of the group `terraform`. Single entries can't be removed from the file. The corresponding page
/// of Terraform's documentation is "CLI Configuration File", under "Credentials".
package struct TerraformCredentialsFile: ImportFormat {
    package init() {}

    /// Reads a whole file. Invalid JSON or another shape yields no entries.
    ///
    /// - Throws: ``Status/decode``, what the closure throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        try readHosts(text) { _ throws(KeychainError) in }
        try readHosts(text, body)
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
