internal import LanyardSecrets

/// The stored form of an item's attributes. Each one present has its number (1 byte), its value's
/// length (4 bytes) and its value, in ascending order of the numbers. The number of a text that was
/// given as data has its highest bit set. Class and accessibility are missing, because they have
/// columns of their own.
package enum AttributesCoding {
    private static let dataMark: UInt8 = 0x80

    /// Returns the stored form.
    package static func encode(_ attributes: ItemAttributes) -> [UInt8] {
        let entries = attributes.entries.drop { $0.attribute == .accessible }
        return [UInt8](room: entries.reduce(0) { $0 + 5 + $1.value.byteCount }) { bytes in
            for entry in entries {
                bytes.append(entry.attribute.rawValue | (entry.isData ? dataMark : 0))
                bytes.append(bigEndian: UInt32(entry.value.byteCount))
                entry.value.append(to: &bytes)
            }
        }
    }

    /// Reads the stored form.
    ///
    /// - Throws: ``Status/decode`` for anything that ``encode(_:)`` does not write.
    package static func decode(
        _ bytes: Span<UInt8>, accessible: Accessibility
    ) throws(KeychainError) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessible = accessible
        var position = 0
        var last: UInt8 = 0
        while position < bytes.count {
            // Number and length.
            let start = position + 5
            let number = bytes[position] & ~dataMark
            let isData = bytes[position] != number
            guard start <= bytes.count, number > last,
                let attribute = Attribute(rawValue: number), attribute.canBeData || !isData,
                let count = bytes.extracting(position + 1..<start).number(UInt32.self),
                count <= bytes.count - start,
                let value = AttributeValue(
                    bytes.extracting(start..<start + Int(count)), attribute.form,
                    accessible: accessible)
            else {
                throw KeychainError(.decode)
            }
            attributes[attribute] = value
            if isData {
                attributes.markAsData(attribute)
            }
            last = attribute.rawValue
            position = start + Int(count)
        }
        // No item can be stored with other conditions.
        if let accessControl = attributes.accessControl {
            guard (try? accessControl.requirements) != nil else {
                throw KeychainError(.decode)
            }
        }
        return attributes
    }
}
