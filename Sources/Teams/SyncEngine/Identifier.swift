internal import LanyardCryptography
internal import LinuxSystem
package import LanyardSecrets

/// The id of a team, of a device or of a record: 16 bytes.
package struct Identifier: Hashable, Comparable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The size in bytes.
    package static let size = 16

    /// Creates a random id, at which an item can be.
    package static func random() throws(KeychainError) -> Identifier {
        let id = try Identifier(RandomBytes.make(size))
        return id.isReserved ? try random() : id
    }

    /// Creates the id that is the beginning of a digest of public bytes.
    init(digestOf bytes: [UInt8]) {
        let digest = KeyedDigest.plain(bytes.span)
        high = digest[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Creates the id of a record that a device has beside the items.
    init(reservedFor label: StaticString, _ bytes: [UInt8]) {
        let digest = Identifier(digestOf: label.bytes + bytes)
        (high, low) = (digest.high | Identifier.reserved, digest.low)
    }

    private static let reserved: UInt64 = 0xFFFF << 48

    /// Whether it is the id of a record beside the items. Whoever knows a device knows these: no item is ever there, and else
    /// nothing but items.
    var isReserved: Bool { high & Identifier.reserved == Identifier.reserved }

    /// Reads an id.
    ///
    /// - Throws: ``Status/decode`` if there are fewer than 16 bytes.
    package init(reading reader: inout ByteReader) throws(KeychainError) {
        high = try reader.number()
        low = try reader.number()
    }

    /// Creates the id of its bytes.
    ///
    /// - Throws: ``Status/decode`` if they are not 16.
    package init(_ bytes: [UInt8]) throws(KeychainError) {
        var reader = ByteReader(bytes)
        try self.init(reading: &reader)
        try reader.end()
    }

    /// Creates the id of a text as ``text`` returns it.
    package init?(_ text: String) {
        guard text.utf8.count == 2 * Identifier.size,
            let bytes = Hexadecimal.decode(text.utf8)
        else {
            return nil
        }
        high = bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Creates the id of the 32 digits of a ``text`` at a position of some bytes.
    package init?(digitsOf bytes: Span<UInt8>, at position: Int) {
        guard position + 2 * Identifier.size <= bytes.count else {
            return nil
        }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for index in position..<position + 2 * Identifier.size {
            let digit: UInt8
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[index] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                digit = bytes[index] - UInt8(ascii: "a") + 10
            default: return nil
            }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
        }
        (self.high, self.low) = (high, low)
    }

    /// Its bytes.
    package var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

    /// Appends its bytes.
    func append(to writer: inout ByteWriter) {
        writer.number(high)
        writer.number(low)
    }

    /// 32 hexadecimal digits.
    package var text: String { Hexadecimal.encode(bytes) }

    /// Orders as the bytes do.
    package static func < (left: Identifier, right: Identifier) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
