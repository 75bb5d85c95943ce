internal import LanyardTransfer
internal import KeychainServices
internal import StrictJSON

extension ImportResult {
    /// Returns the same as JSON.
    ///
    /// Part of the stable output: see lanyard-import(1), "JSON".
    func json() throws(KeychainError) -> Secret {
        try JSONWriter.writeObject(invalidText: .replace) { writer throws(KeychainError) in
            try members(&writer)
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
        try writer.member(objects: "left", of: report.left) { writer, left throws(KeychainError) in
            try writer.member("place", left.place)
            try writer.member("name", left.attributes?.name.description)
            try writer.member("account", left.attributes?.account?.description)
            try writer.member("reason", left.error.reason)
            try writer.member("unsupported", left.isUnsupported)
        }
        try writer.member(objects: "lost", of: report.losses) {
            writer, loss throws(KeychainError) in
            try writer.member("file", loss.file)
            try writer.member("what", loss.kind.word)
            var name: String?
            if case .unread(let unread) = loss.kind {
                name = unread
            }
            try writer.member("name", name)
            try writer.member("entries", loss.places.count)
        }
        try writer.member(objects: "shared_hosts", of: sharedHosts) {
            writer, host throws(KeychainError) in
            try writer.member("name", host.attributes.name.description)
            try writer.member("group", host.attributes.accessGroup?.description)
            try writer.member("accounts", host.accounts)
        }
        try writer.member(objects: "plain_text", of: removals) {
            writer, removal throws(KeychainError) in
            try writer.member("file", removal.file)
            try writer.member("removed", removal.removed)
            try writer.member("kept", removal.kept)
            try writer.member("file_removed", removal.isFileRemoved)
            try writer.member("overwritten", removal.isOverwritten)
        }
    }
}
