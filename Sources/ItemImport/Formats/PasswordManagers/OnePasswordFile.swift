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
        try OnePasswordFile.readItems(text) { _, _ throws(KeychainError) in }
        var number = 0
        var earlier = EarlierEntries()
        try OnePasswordFile.readItems(text) { item, vault throws(KeychainError) in
            number += 1
            let place = "entry \(number)"
            try item.login(vault).forEachContent(&earlier) { content throws(KeychainError) in
                try body(ImportRecord(place: place, range: nil, content: content))
            }
        }
    }

    private static func readItems(
        _ text: Span<UInt8>,
        _ body: (consuming OnePasswordItem, ByteString?) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var hasAccounts = false
        try JSONReader.read(text, limit: text.count) { reader throws(KeychainError) in
            try reader.readObjects("accounts") { reader throws(KeychainError) in
                hasAccounts = true
                try reader.readObjects("vaults") { reader throws(KeychainError) in
                    try readVault(&reader, text, body)
                }
            }
        }
        guard hasAccounts else {
            throw KeychainError(
                .decode, "the file has no 'accounts', so it is not an export of 1Password")
        }
    }

    /// Reads a vault, whose name may come after its items.
    private static func readVault(
        _ reader: inout JSONReader, _ text: Span<UInt8>,
        _ body: (consuming OnePasswordItem, ByteString?) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var name: ByteString?
        var items = 0..<0
        try reader.readObject { member, reader throws(KeychainError) in
            switch member {
            case "attrs":
                try reader.readObject { member, reader throws(KeychainError) in
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

extension JSONReader {
    /// Reads the elements of a member of an object; the others are skipped.
    fileprivate mutating func readObjects(
        _ name: ByteString, _ body: (inout JSONReader) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try readObject { member, reader throws(KeychainError) in
            if member == name {
                try reader.readArray(body)
            }
        }
    }
}
