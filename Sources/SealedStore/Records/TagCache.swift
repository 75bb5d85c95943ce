internal import KeychainServices

/// The tag of each field that was made last. Items that are read or added one after the other often
/// have their access group, their account or their server in common, and an item that was looked for has
/// the identity of the one that is added then.
final class TagCache {
    private struct Entry {
        var itemClass: ItemClass
        let field: UInt8
        var value: [UInt8]
        var digest: InlineArray<32, UInt8>
    }

    /// One for each field, which are few.
    private var entries: [Entry] = []

    /// The digest of a field's value, nil if the last one of the field was that of another value.
    func digest(
        _ itemClass: ItemClass, _ field: UInt8, _ value: [UInt8]
    ) -> InlineArray<32, UInt8>? {
        // An entry as a whole would be copied.
        for index in entries.indices where entries[index].field == field {
            let isSame = entries[index].itemClass == itemClass && entries[index].value == value
            return isSame ? entries[index].digest : nil
        }
        return nil
    }

    /// Keeps the digest of a field's value.
    func note(
        _ digest: InlineArray<32, UInt8>, _ itemClass: ItemClass, _ field: UInt8, _ value: [UInt8]
    ) {
        for index in entries.indices where entries[index].field == field {
            entries[index].digest = digest
            entries[index].value = value
            entries[index].itemClass = itemClass
            return
        }
        entries.append(Entry(itemClass: itemClass, field: field, value: value, digest: digest))
    }
}
