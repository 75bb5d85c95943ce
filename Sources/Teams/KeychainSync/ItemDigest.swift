internal import LanyardCryptography
internal import KeychainServices
internal import LanyardSecrets

/// A digest under a key of the keychain's own, by which an item's identity or its content is recognized: 16 bytes.
struct ItemDigest: Hashable {
    private let high: UInt64
    private let low: UInt64

    init(_ bytes: Span<UInt8>, under key: borrowing Secret) {
        let digest = KeyedDigest.make(under: key, bytes)
        high = digest.span.extracting(0..<8).number(UInt64.self)!
        low = digest.span.extracting(8..<16).number(UInt64.self)!
    }

    /// Its 16 bytes.
    var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

    /// - Throws: ``Status/decode`` if they are not 16.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        var reader = ByteReader(bytes)
        try self.init(reading: &reader)
        try reader.end()
    }

    func append(to writer: inout ByteWriter) {
        writer.number(high)
        writer.number(low)
    }

    /// - Throws: ``Status/decode`` if there are fewer than 16 bytes.
    init(reading reader: inout ByteReader) throws(KeychainError) {
        high = try reader.number()
        low = try reader.number()
    }
}
