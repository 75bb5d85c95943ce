internal import KeychainServices

/// The last tag of each field.
///
/// Consecutive items often share their access group, account or server. An item that is searched
/// for and then added has the same identity both times.
final class TagCache {
    private struct Entry {
        let itemClass: ItemClass
        let field: UInt8
        let value: [UInt8]
        let tag: [UInt8]
    }
    /// One for each of the few fields.
    private var entries: [Entry] = []

    /// Returns the tag of a field's value, nil if the field's last tag was for another value.
    func tag(_ itemClass: ItemClass, _ field: UInt8, _ value: [UInt8]) -> [UInt8]? {
        entries.first { $0.field == field && $0.itemClass == itemClass && $0.value == value }?.tag
    }

    /// Remembers the tag of a field's value.
    func note(_ tag: [UInt8], _ itemClass: ItemClass, _ field: UInt8, _ value: [UInt8]) {
        let entry = Entry(itemClass: itemClass, field: field, value: value, tag: tag)
        if let index = entries.firstIndex(where: { $0.field == field }) {
            entries[index] = entry
        } else {
            entries.append(entry)
        }
    }
}
