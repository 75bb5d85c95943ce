internal import ImportEngine
internal import Keychain
internal import StrictJSON

extension ImportResult {
    /// The same as JSON.
    ///
    /// Part of the stable output: see lanyard(1), "JSON".
    func json() throws(KeychainError) -> Secret {
        try JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
            try writer.writeObject { writer throws(KeychainError) in
                try members(&writer)
            }
        }
    }

    private func members(_ writer: inout JSONWriter) throws(KeychainError) {
        try writer.member("dry_run", isDryRun)
        let counts: [(ByteString, Int)] = [
            ("new", report.new), ("same", report.same), ("changed", report.changed),
            ("uncompared", report.uncompared), ("differing", report.differing),
            ("skipped", report.skipped), ("shadowed", report.shadowed),
        ]
        for (name, count) in counts {
            try writer.member(name, count)
        }
        try writer.member("left") { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                for left in report.left {
                    try writer.writeObject { writer throws(KeychainError) in
                        try writer.member("place", left.place)
                        try writer.member("name", left.attributes?.name.description)
                        try writer.member("account", left.attributes?.account?.description)
                        try writer.member("reason", left.error.reason)
                    }
                }
            }
        }
        try writer.member("plain_text") { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                for removal in removals {
                    try writer.writeObject { writer throws(KeychainError) in
                        try writer.member("file", removal.file)
                        try writer.member("removed", removal.removed)
                        try writer.member("kept", removal.kept)
                        try writer.member("file_removed", removal.isFileRemoved)
                        try writer.member("overwritten", removal.isOverwritten)
                    }
                }
            }
        }
    }
}
