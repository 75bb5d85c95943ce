package import KeychainServices
package import PlainTextFormats
internal import StrictJSON
package import ToolCatalog

/// The file ~/.terraform.d/credentials.tfrc.json: a token for each host, in the member `credentials`; or ~/.terraformrc,
/// with a block `credentials` for each host.
///
/// Tokens become items of the group `terraform`. Single entries can't be removed from a file of JSON. The corresponding
/// page of Terraform's documentation is "CLI Configuration File", under "Credentials".
package struct TerraformCredentialsFile: PlainReader {
    package init() {}

    /// Reads a whole file. Invalid JSON or another shape of it yields no entries.
    ///
    /// - Throws: ``Status/decode``, what the closure throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        // A file may be empty, as after a write that was interrupted.
        switch form(of: text) {
        case .hcl: try readBlocks(text, body)
        case .json:
            try readHosts(text) { _ throws(KeychainError) in }
            try readHosts(text, body)
        default: break
        }
    }

    /// Of JSON, ``read(_:_:)`` finds all.
    package func syntax(of text: Span<UInt8>) -> PlainTextFormat? {
        form(of: text) == .hcl ? .hcl : nil
    }

    private func form(of text: Span<UInt8>) -> PlainTextFormat? {
        text.withoutWhitespace.first.map {
            text[$0] == UInt8(ascii: "{") ? .json : .hcl
        }
    }

    private func readBlocks(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        var earlier = EarlierEntries()
        let values = try PlainTextValues.read(text, .hcl)
        for value in values {
            guard value.path.count == 3, value.path[0] == "credentials", value.path[2] == "token"
            else {
                continue
            }
            // What else is in the block, which is removed as a whole.
            let unread = UnreadParts(besides: ["token"])
            for other in values.within(value.removal) where !other.range.isEmpty {
                unread.note(ByteString(other.path.last ?? ""))
            }
            let content = content(value, text, &earlier)
            for content in [content] + (content.isItem ? unread.losses : []).map({ .without($0) }) {
                try body(
                    ImportRecord(line: value.line, range: value.removal, content: content))
            }
        }
    }

    private func content(
        _ value: PlainTextValue, _ text: Span<UInt8>, _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        guard value.isVerbatim else {
            return .unreadable("its token has escapes or variables")
        }
        guard let login = ToolLogin("terraform", url: ByteString(value.path[1])) else {
            return .unreadable(SkipReason.noHost)
        }
        return login.content(Secret(copying: text.extracting(value.range)), &earlier)
    }

    private func readHosts(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        var number = 0
        var earlier = EarlierEntries()
        // The file is removed as a whole.
        let others = UnreadParts(besides: [])
        try JSONReader.read(text, limit: text.count) { reader throws(KeychainError) in
            try reader.checkObject()
            try reader.readMembers(others) { name, reader throws(KeychainError) in
                guard name == "credentials" else {
                    return
                }
                try reader.readObject { host, reader throws(KeychainError) in
                    number += 1
                    for content in try contents(host, &reader, &earlier) {
                        try body(
                            ImportRecord(place: "entry \(number)", range: nil, content: content))
                    }
                }
            }
        }
        for loss in others.losses {
            try body(ImportRecord(place: "the file itself", range: nil, content: .without(loss)))
        }
    }

    /// Returns what the object of a host becomes.
    private func contents(
        _ host: ByteString, _ reader: inout JSONReader, _ earlier: inout EarlierEntries
    ) throws(KeychainError) -> [ImportRecord.Content] {
        var content = ImportRecord.Content.skipped(
            reason: SkipReason.noPassword, hasSecret: false)
        guard try reader.kind == .object else {
            return try reader.skipContent() ? [.unreadable(SkipReason.noObject)] : []
        }
        let unread = UnreadParts(besides: [])
        try reader.readMembers(unread) { name, reader throws(KeychainError) in
            guard name == "token" else {
                return
            }
            let token = try reader.readSecret()
            guard let login = ToolLogin("terraform", url: host) else {
                content = .unreadable(SkipReason.noHost)
                return
            }
            content = login.content(token, &earlier)
        }
        guard content.isItem || unread.losses.isEmpty else {
            return [.unreadable("it has no token that is a text")]
        }
        return [content] + unread.losses.map { .without($0) }
    }
}

extension TerraformTool: ReadTool {
    package typealias Reader = TerraformCredentialsFile
}
