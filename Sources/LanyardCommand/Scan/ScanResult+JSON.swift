internal import KeychainServices
internal import PlainTextScan
internal import StrictJSON

extension ScanResult {
    /// Returns the same as JSON.
    ///
    /// Part of the stable output: see lanyard-scan(1), "JSON".
    func json() throws(KeychainError) -> Secret {
        try JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
            try writer.writeObject { writer throws(KeychainError) in
                try writer.member("findings") { writer throws(KeychainError) in
                    try writer.writeArray { writer throws(KeychainError) in
                        for finding in findings {
                            try write(finding, &writer)
                        }
                    }
                }
                try writer.member("files", counts.files)
                try writer.member("bytes", counts.bytes)
                try writer.member("secrets", items.counts.searched)
                try writer.member("omitted_secrets") { writer throws(KeychainError) in
                    try writer.writeObject { writer throws(KeychainError) in
                        try writer.member("short", items.counts.short)
                        try writer.member("simple", items.counts.simple)
                        try writer.member("asking", items.counts.asking)
                        try writer.member("damaged", items.counts.damaged)
                    }
                }
                try write("unreadable", counts.unreadable, &writer)
                try write("large", counts.tooLarge, &writer)
                try write("other_file_systems", counts.otherFileSystems, &writer)
                try write("cut_short", counts.cutShort, &writer)
            }
        }
    }

    private func write(
        _ name: ByteString, _ paths: [ByteString], _ writer: inout JSONWriter
    ) throws(KeychainError) {
        try writer.member(name) { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                for path in paths {
                    try writer.write(path)
                }
            }
        }
    }

    private func write(
        _ finding: ScanFinding, _ writer: inout JSONWriter
    ) throws(KeychainError) {
        try writer.writeObject { writer throws(KeychainError) in
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
                try writer.member("items") { writer throws(KeychainError) in
                    try writer.writeArray { writer throws(KeychainError) in
                        for number in numbers {
                            try write(items.items[number], &writer)
                        }
                    }
                }
            }
        }
    }

    private func write(
        _ item: ScannedItems.Item, _ writer: inout JSONWriter
    ) throws(KeychainError) {
        try writer.writeObject { writer throws(KeychainError) in
            try writer.member("name", item.attributes.name)
            try writer.member("account", item.attributes.account ?? "")
            try writer.member("group", item.attributes.accessGroup ?? "")
            try writer.member("keychain", ByteString(item.keychain))
        }
    }
}
