internal import Secrets

/// For each device, the number of its last change that is known.
package struct VersionVector: Hashable, Sendable {
    private(set) var counters: [Identifier: UInt64] = [:]

    /// Creates a vector that knows no change.
    package init() {}

    /// The number of a device's last known change, 0 if none.
    package subscript(device: Identifier) -> UInt64 {
        get { counters[device] ?? 0 }
        set { counters[device] = newValue == 0 ? nil : newValue }
    }

    /// The devices whose changes are known.
    package var devices: some Collection<Identifier> { counters.keys }

    /// Takes the higher number for each device.
    package mutating func merge(_ other: VersionVector) {
        counters.merge(other.counters, uniquingKeysWith: max)
    }

    /// Appends the number of devices (4 bytes), then each device and its number, ordered by device.
    func append(to writer: inout ByteWriter) {
        writer.number(UInt32(counters.count))
        for (device, counter) in counters.sorted(by: { $0.key < $1.key }) {
            writer.raw(device.bytes)
            writer.number(counter)
        }
    }

    /// Reads a vector.
    ///
    /// - Throws: ``Status/decode`` for anything that ``append(to:)`` does not write.
    init(reading reader: inout ByteReader) throws(KeychainError) {
        var last: Identifier?
        for _ in 0..<(try reader.number(UInt32.self)) {
            let device = try Identifier(reading: &reader)
            let counter = try reader.number(UInt64.self)
            if let last, last >= device {
                throw KeychainError(.decode)
            }
            guard counter > 0, counter < SyncLimits.number else {
                throw KeychainError(.decode)
            }
            counters[device] = counter
            last = device
        }
    }
}
