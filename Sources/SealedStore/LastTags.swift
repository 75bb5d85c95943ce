internal import Keychain

/// The tag of each field that was made last. Items that are read or added one after the other often
/// have their access group, their account or their server in common.
final class LastTags {
    private struct Entry {
        let itemClass: ItemClass
        let field: AttributesCoding.Field
        let value: ByteString
        let tag: [UInt8]
    }

    /// One for each field, which are few.
    private var entries: [Entry] = []

    /// The tag of a field's value, nil if the last one of the field was that of another value.
    func tag(
        _ itemClass: ItemClass, _ field: AttributesCoding.Field, _ value: ByteString
    ) -> [UInt8]? {
        index(of: itemClass, field, value).map { entries[$0].tag }
    }

    /// Appends the tag of a field's value.
    ///
    /// - Returns: False if the last one of the field was that of another value.
    func append(
        _ itemClass: ItemClass, _ field: AttributesCoding.Field, _ value: ByteString,
        to output: inout OutputSpan<UInt8>
    ) -> Bool {
        guard let index = index(of: itemClass, field, value) else {
            return false
        }
        output.append(copying: entries[index].tag)
        return true
    }

    /// Keeps a tag in the place of the last one of the field.
    func keep(
        _ tag: [UInt8], _ itemClass: ItemClass, _ field: AttributesCoding.Field,
        _ value: ByteString
    ) {
        let entry = Entry(itemClass: itemClass, field: field, value: value, tag: tag)
        if let index = entries.firstIndex(where: { $0.field == field }) {
            entries[index] = entry
        } else {
            entries.append(entry)
        }
    }

    private func index(
        of itemClass: ItemClass, _ field: AttributesCoding.Field, _ value: ByteString
    ) -> Int? {
        // An entry as a whole would be copied.
        for index in entries.indices where entries[index].field == field {
            let isIt = entries[index].itemClass == itemClass && entries[index].value == value
            return isIt ? index : nil
        }
        return nil
    }
}
