internal import KeychainServices

/// The tag of each field that was made last. Items that are read or added one after the other often
/// have their access group, their account or their server in common, and an item that was looked for has
/// the identity of the one that is added then.
final class TagCache {
    private struct Entry {
        let itemClass: ItemClass
        let field: UInt8
        let value: [UInt8]
        let tag: [UInt8]
    }
    /// One for each field, which are few.
    private var entries: [Entry] = []

    /// The tag of a field's value, nil if the last one of the field was that of another value.
    func tag(_ itemClass: ItemClass, _ field: UInt8, _ value: [UInt8]) -> [UInt8]? {
        entries.first { $0.field == field && $0.itemClass == itemClass && $0.value == value }?.tag
    }

    /// Keeps the tag of a field's value.
    func note(_ tag: [UInt8], _ itemClass: ItemClass, _ field: UInt8, _ value: [UInt8]) {
        let entry = Entry(itemClass: itemClass, field: field, value: value, tag: tag)
        if let index = entries.firstIndex(where: { $0.field == field }) {
            entries[index] = entry
        } else {
            entries.append(entry)
        }
    }
}
