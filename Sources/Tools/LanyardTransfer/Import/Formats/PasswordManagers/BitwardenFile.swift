package import KeychainServices
internal import StrictJSON

/// Bitwarden's unencrypted export in JSON.
///
/// Items are in the access group `login`. A login becomes an internet password for each of its addresses,
/// or, without a valid one, a generic password with its name as service. A secure note becomes a generic
/// password with the note as its secret.
///
/// The key of its one-time passwords becomes a second item, in the access group `code`, and
/// each field of the user's own a generic password with the service `NAME/FIELD`.
///
/// Notes of a login become the comment, up to its limit; its folder and collections follow as
/// ``EntryArrangement``. Dates are preserved. Further parts of an entry are
/// reported as ``ImportLoss``. Cards, identities and SSH keys are skipped. Two entries for the same place
/// and account get distinct names, as those of a ``CSVFile``. Items in the trash are skipped. Single entries can't be removed from the
/// file.
package struct BitwardenFile: ImportFormat {
    package init() {}

    /// Reads a whole file. An invalid file yields no entries.
    ///
    /// - Throws: ``Status/decode``, with the number of the byte instead of the line, for invalid JSON,
    ///   another shape, and an encrypted export; what the closure throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        let unread = UnreadParts(besides: [
            "organizationId", "externalId", "object", "revisionDate",
        ])
        let folders = try checkForm(text, unread)
        try readItems(text, unread) { _, _ throws(KeychainError) in }
        var earlier = EarlierEntries()
        try readItems(text, unread) { number, item throws(KeychainError) in
            try item.login(folders).forEachContent(&earlier) { content throws(KeychainError) in
                try body(
                    ImportRecord(place: "entry \(number)", range: nil, content: content))
            }
        }
        for loss in unread.losses {
            try body(ImportRecord(place: "the file itself", range: nil, content: .without(loss)))
        }
    }

    /// - Returns: The names of folders and collections by their ids.
    private func checkForm(
        _ text: Span<UInt8>, _ unread: UnreadParts
    ) throws(KeychainError) -> [ByteString: ByteString] {
        var folders: [ByteString: ByteString] = [:]
        var isEncrypted = false
        var hasItems = false
        try JSONReader.read(text) {
            reader throws(KeychainError) in
            try reader.checkObject()
            try reader.readMembers(unread) { name, reader throws(KeychainError) in
                switch name {
                case "encrypted": isEncrypted = try reader.readBool()
                case "folders", "collections":
                    try reader.readArray { reader throws(KeychainError) in
                        try BitwardenFile.readFolder(&reader, unread, &folders)
                    }
                case "items":
                    hasItems = true
                    try reader.skip()
                default: break
                }
            }
        }
        guard !isEncrypted else {
            throw KeychainError(
                .decode, "the export is encrypted",
                hint: "export it again in the file format .json, not .json (Encrypted)")
        }
        guard hasItems else {
            throw KeychainError(.decode, "the file has no 'items', so it is not a Bitwarden export")
        }
        return folders
    }

    private static func readFolder(
        _ reader: inout JSONReader, _ unread: UnreadParts, _ folders: inout [ByteString: ByteString]
    ) throws(KeychainError) {
        var id: ByteString?
        var folder: ByteString?
        try reader.readMembers(unread) { name, reader throws(KeychainError) in
            switch name {
            case "id": id = try reader.readText()
            case "name": folder = try reader.readText()
            default: break
            }
        }
        if let id, let folder, !folder.isEmpty {
            folders[id] = folder
        }
    }

    private func readItems(
        _ text: Span<UInt8>, _ unread: UnreadParts,
        _ body: (Int, consuming BitwardenItem) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var number = 0
        try JSONReader.readObject(text) {
            name, reader throws(KeychainError) in
            guard name == "items", try !reader.readNull() else {
                return
            }
            try reader.readArray { reader throws(KeychainError) in
                number += 1
                guard try reader.kind == .object else {
                    return unread.note("items")
                }
                try body(number, BitwardenItem(from: &reader))
            }
        }
    }
}
