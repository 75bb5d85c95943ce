internal import LanyardCryptography
internal import LanyardSecrets

/// What a device signs of its change of an item: the number of the change, and the digest of the version that it made. It
/// proves the number even if the version is not stored any more.
struct SignedChange: Hashable, Sendable {
    /// The device that made it.
    let device: Identifier
    /// The number of this change among all of the device's changes, from 1.
    let counter: UInt64
    /// The digest of the version, 32 bytes.
    private let digest: [UInt8]
    /// The device's signature, 64 bytes.
    let signature: [UInt8]

    init(device: Identifier, counter: UInt64, digest: [UInt8], signature: [UInt8]) {
        self.device = device
        self.counter = counter
        self.digest = digest
        self.signature = signature
    }

    /// Signs a change.
    ///
    /// - Parameters:
    ///   - record: The item's id.
    ///   - digest: That of the version.
    init(
        of record: Identifier, _ counter: UInt64, digest: [UInt8], by device: DeviceIdentity,
        team: Identifier
    ) {
        self.init(
            device: device.id, counter: counter, digest: digest,
            signature: device.sign(
                SignedChange.signedBytes(team, record, device.id, counter, digest)))
    }

    /// What tells it from any other change, also from one that its device signs later with the same number.
    var tag: Identifier { SignedChange.tag(of: signature) }

    static func tag(of signature: [UInt8]) -> Identifier { Identifier(digestOf: signature) }

    /// Whether the owner of a card signed it, for this item.
    func isSigned(by card: DeviceCard, of record: Identifier, team: Identifier) -> Bool {
        SigningKey.isValid(
            signature, of: SignedChange.signedBytes(team, record, device, counter, digest),
            by: card.signingKey)
    }

    private static func signedBytes(
        _ team: Identifier, _ record: Identifier, _ device: Identifier, _ counter: UInt64,
        _ digest: [UInt8]
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw("lanyard item change")
        for id in [team, record, device] {
            writer.raw(id.bytes)
        }
        writer.number(counter)
        writer.raw(digest)
        return writer.bytes
    }

    // MARK: The stored form

    func append(to writer: inout ByteWriter) {
        writer.raw(device.bytes)
        writer.number(counter)
        writer.raw(digest)
        writer.raw(signature)
    }

    /// Reads a change. The signature is not checked yet.
    ///
    /// - Throws: ``Status/decode`` if there is none.
    init(reading reader: inout ByteReader) throws(KeychainError) {
        device = try Identifier(reading: &reader)
        counter = try reader.number()
        digest = try reader.raw(KeyedDigest.size)
        signature = try reader.raw(SigningKey.signatureSize)
        guard counter > 0, counter < SyncLimits.number else {
            throw KeychainError(.decode)
        }
    }
}
