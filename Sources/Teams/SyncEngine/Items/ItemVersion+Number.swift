package import LanyardSecrets

extension ItemVersion {
    /// The number of a change among all changes of a team: its device, and its number there.
    struct Number: Hashable, Sendable {
        let device: Identifier
        let counter: UInt64
    }

    /// What tells a version from all others of a team, also from one that its device signs later with the same number.
    package struct ID: Hashable, Sendable {
        private let number: Number
        private let tag: Identifier

        fileprivate init(_ version: ItemVersion) {
            number = version.number
            tag = version.tag
        }

        /// Appends the stored form, which orders a device's versions by their numbers.
        package func append(to writer: inout ByteWriter) {
            writer.raw(number.device.bytes)
            writer.number(number.counter)
            writer.raw(tag.bytes)
        }

        /// Reads an id.
        ///
        /// - Throws: ``Status/decode`` if there is none.
        package init(reading reader: inout ByteReader) throws(KeychainError) {
            number = Number(
                device: try Identifier(reading: &reader), counter: try reader.number())
            tag = try Identifier(reading: &reader)
        }
    }

    /// The number of the change that made the version.
    var number: Number { Number(device: device, counter: counter) }

    /// What tells the version from all others.
    package var id: ID { ID(self) }
}

extension SignedChange {
    /// The number of the change.
    var number: ItemVersion.Number { ItemVersion.Number(device: device, counter: counter) }
}
