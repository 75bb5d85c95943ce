public import KeychainServices
internal import StrictJSON

/// Bitwarden's export in JSON, the one that is not encrypted.
///
/// Items are in the access group `login`: a login is an internet password for each of its addresses,
/// or a generic password whose service is its name where there is none that can be read; a secure
/// note is a generic password with the note as its secret. Notes of a login become the comment, as
/// long as that may be. Dates are kept. What else an entry has is handed out as an ``ImportLoss``. Cards,
/// identities and SSH keys are skipped. Two entries for the same place and account are told apart as those
/// of a ``CSVFile`` are. Single entries can't be removed from the file.
public struct BitwardenFile: ImportFormat {
    /// The form; there is nothing to set.
    public init() {}

    /// Reads a whole file. Nothing is handed out of one that is not of this form.
    ///
    /// - Throws: ``Status/decode``, with the number of the byte instead of the line, for invalid
    ///   JSON, another shape, and an encrypted export; what the closure throws.
    public func read(
        _ file: borrowing Secret,
        _ body: (ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try file.withBytes { text throws(KeychainError) in
            try checkForm(text)
            try readItems(text) { _, _ throws(KeychainError) in }
            var earlier = EarlierEntries()
            try readItems(text) { number, item throws(KeychainError) in
                try item.login().forEachContent(&earlier) { content throws(KeychainError) in
                    try body(
                        ImportRecord(place: "entry \(number)", range: nil, content: content))
                }
            }
        }
    }

    private func checkForm(_ text: Span<UInt8>) throws(KeychainError) {
        var isEncrypted = false
        var hasItems = false
        try JSONReader.read(text, limit: text.count) { reader throws(KeychainError) in
            try reader.readObject { name, reader throws(KeychainError) in
                if name == "encrypted" {
                    isEncrypted = try reader.readBool()
                }
                hasItems = hasItems || name == "items"
            }
        }
        guard !isEncrypted else {
            throw KeychainError(
                .decode, "the export is encrypted",
                hint: "export it once more, with the file format .json and not .json (Encrypted)")
        }
        guard hasItems else {
            throw KeychainError(.decode, "the file has no 'items', which Bitwarden's exports have")
        }
    }

    private func readItems(
        _ text: Span<UInt8>,
        _ body: (Int, consuming BitwardenItem) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var number = 0
        try JSONReader.read(text, limit: text.count) { reader throws(KeychainError) in
            try reader.readObject { name, reader throws(KeychainError) in
                guard name == "items", try !reader.readNull() else {
                    return
                }
                try reader.readArray { reader throws(KeychainError) in
                    number += 1
                    try body(number, BitwardenItem(from: &reader))
                }
            }
        }
    }
}
