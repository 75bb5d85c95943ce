internal import KeychainServices
internal import PlainTextScan
internal import StrictJSON

extension ScanResult {
    /// Returns the same as JSON.
    ///
    /// Part of the stable output: see lanyard-scan(1), "JSON".
    func json() throws(KeychainError) -> Secret {
        try JSONWriter.writeObject(invalidText: .replace) { writer throws(KeychainError) in
            try writer.member(objects: "findings", of: findings) {
                writer, finding throws(KeychainError) in
                try members(of: finding, &writer)
            }
            try writer.member("files", counts.files)
            try writer.member("bytes", counts.bytes)
            try writer.member("secrets", items.counts.searched)
            try writer.member(object: "omitted_secrets") { writer throws(KeychainError) in
                try writer.member("short", items.counts.short)
                try writer.member("simple", items.counts.simple)
                try writer.member("asking", items.counts.asking)
                try writer.member("damaged", items.counts.damaged)
            }
            try writer.member("unreadable", counts.unreadable)
            try writer.member("large", counts.tooLarge)
            try writer.member("other_file_systems", counts.otherFileSystems)
            try writer.member("cut_short", counts.cutShort)
        }
    }

    private func members(
        of finding: ScanFinding, _ writer: inout JSONWriter
    ) throws(KeychainError) {
        try writer.member("file", finding.file)
        try writer.member("line", finding.line)
        switch finding.kind {
        case .privateKey: try writer.member("kind", "private-key" as ByteString)
        case .toolFile(let file):
            try writer.member("kind", "plain-text" as ByteString)
            try writer.member("tool", file.tool)
        case .copy(let numbers, let form):
            try writer.member("kind", "copy" as ByteString)
            try writer.member("form", form.rawValue)
            try writer.member(objects: "items", of: numbers) {
                writer, number throws(KeychainError) in
                let item = items.items[number]
                try writer.member("name", item.attributes.name)
                try writer.member("account", item.attributes.account ?? "")
                try writer.member("group", item.attributes.accessGroup ?? "")
                try writer.member("keychain", ByteString(item.keychain))
            }
        }
    }
}
