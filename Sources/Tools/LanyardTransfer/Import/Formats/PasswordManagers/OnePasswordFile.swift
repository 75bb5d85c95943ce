package import KeychainServices
internal import StrictJSON

/// The file `export.data` of 1Password's export 1PUX.
///
/// Items are in the access group `login`. A login becomes an internet password for each of its addresses, or, without a
/// valid one, a generic password with its title as service. A secure note becomes a generic password with the note as
/// its secret. Notes of others become the comment; the vault as the folder and the tags follow as ``EntryArrangement``.
///
/// A one-time password becomes a second item, in the access group `code`, and each further field a generic password with
/// the service `TITLE/FIELD`. Files and earlier passwords are reported as ``ImportLoss``. Single entries can't be removed
/// from the file. The corresponding page is "1Password Unencrypted Export format".
package struct OnePasswordFile: ImportFormat {
    package init() {}

    /// Reads a whole file. An invalid file yields no entries.
    ///
    /// - Throws: ``Status/decode``, with the number of the byte instead of the line, for invalid JSON and another
    ///   shape; what the closure throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        let unread = UnreadParts(besides: OnePasswordFile.meaningless)
        try OnePasswordFile.readItems(text, unread) { _, _ throws(KeychainError) in }
        var number = 0
        var earlier = EarlierEntries()
        try OnePasswordFile.readItems(text, unread) { item, vault throws(KeychainError) in
            number += 1
            let place = "entry \(number)"
            try item.login(vault).forEachContent(&earlier) { content throws(KeychainError) in
                try body(ImportRecord(place: place, range: nil, content: content))
            }
        }
        for loss in unread.losses {
            try body(ImportRecord(place: "the vaults", range: nil, content: .without(loss)))
        }
    }

    /// The members of accounts and vaults that say nothing about an entry.
    private static let meaningless: Set<ByteString> = [
        "uuid", "avatar", "type", "accountName", "name", "email", "domain",
    ]

    private static func readItems(
        _ text: Span<UInt8>, _ unread: UnreadParts,
        _ body: (consuming OnePasswordItem, ByteString?) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var hasAccounts = false
        try JSONReader.read(text, limit: text.count) { reader throws(KeychainError) in
            try reader.checkObject()
            try reader.readMembers(unread) { name, reader throws(KeychainError) in
                guard name == "accounts" else {
                    return
                }
                try reader.readArray { reader throws(KeychainError) in
                    hasAccounts = true
                    try readAccount(&reader, text, unread, body)
                }
            }
        }
        guard hasAccounts else {
            throw KeychainError(
                .decode, "the file has no 'accounts', so it is not an export of 1Password")
        }
    }

    private static func readAccount(
        _ reader: inout JSONReader, _ text: Span<UInt8>, _ unread: UnreadParts,
        _ body: (consuming OnePasswordItem, ByteString?) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try reader.checkObject()
        try reader.readMembers(unread) { name, reader throws(KeychainError) in
            switch name {
            case "vaults":
                try reader.readArray { reader throws(KeychainError) in
                    try readVault(&reader, text, unread, body)
                }
            case "attrs": try reader.readMembers(unread) { _, _ in }
            default: break
            }
        }
    }

    /// Reads a vault, whose name may come after its items.
    private static func readVault(
        _ reader: inout JSONReader, _ text: Span<UInt8>, _ unread: UnreadParts,
        _ body: (consuming OnePasswordItem, ByteString?) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var name: ByteString?
        var items = 0..<0
        try reader.checkObject()
        try reader.readMembers(unread) { member, reader throws(KeychainError) in
            switch member {
            case "attrs":
                try reader.readMembers(unread) { member, reader throws(KeychainError) in
                    if member == "name" {
                        name = try reader.readText()
                    }
                }
            case "items":
                let start = reader.offset
                try reader.skip()
                items = start..<reader.offset
            default: break
            }
        }
        guard !items.isEmpty else {
            return
        }
        let list = text.extracting(items)
        try JSONReader.read(list, limit: list.count) { reader throws(KeychainError) in
            try reader.readArray { reader throws(KeychainError) in
                try body(OnePasswordItem(from: &reader), name)
            }
        }
    }
}
