package import Secrets

extension ItemVersion {
    /// What names a version among all changes of a team: its device, and its number there.
    package struct Number: Hashable, Sendable {
        private let device: Identifier
        private let counter: UInt64

        fileprivate init(_ version: ItemVersion) {
            device = version.device
            counter = version.counter
        }

        /// Appends the stored form.
        package func append(to writer: inout ByteWriter) {
            writer.raw(device.bytes)
            writer.number(counter)
        }

        /// Reads a number.
        ///
        /// - Throws: ``Status/decode`` if there is none.
        package init(reading reader: inout ByteReader) throws(KeychainError) {
            device = try Identifier(reading: &reader)
            counter = try reader.number()
        }
    }

    /// What names the version.
    package var number: Number { Number(self) }
}
