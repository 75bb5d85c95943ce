internal import LanyardCryptography
internal import LanyardSecrets

/// What a device signs with each exchange: how many changes it made, in which items, and which changes
/// of the other devices it knew. It shows that a server left something out, or went back.
package struct DeviceHead: Hashable, Sendable {
    /// The device.
    let device: Identifier
    /// The number of its last change.
    let counter: UInt64
    /// The sum over all items that it changed of the digests of item and its last change there.
    let changes: DigestSum
    /// For each device the last change that this one knew of.
    let seen: VersionVector
    /// The number of entries of the roster, and the digest of the last one.
    let rosterCount: UInt64
    let rosterDigest: [UInt8]
    private let signature: [UInt8]

    init(
        counter: UInt64, changes: DigestSum, seen: VersionVector, _ roster: Roster,
        by device: DeviceIdentity, in team: Identifier? = nil
    ) {
        self.device = device.id
        self.counter = counter
        self.changes = changes
        self.seen = seen
        rosterCount = UInt64(roster.entries.count)
        rosterDigest = roster.lastDigest
        var writer = ByteWriter()
        DeviceHead.append(
            device.id, counter, changes, seen, rosterCount, rosterDigest, to: &writer)
        signature = device.sign(DeviceHead.label(team ?? roster.team) + writer.bytes)
    }

    /// The id of the record of a device's head.
    static func record(of device: Identifier, team: Identifier) -> Identifier {
        Identifier(reservedFor: "lanyard device head", team.bytes + device.bytes)
    }

    /// The digest of a device's last change in an item, for the sum.
    static func digest(
        _ record: Identifier, _ device: Identifier, _ counter: UInt64
    ) -> InlineArray<32, UInt8> {
        KeyedDigest.make(
            under: Span(), record.bytes.span, device.bytes.span, counter.bigEndianBytes.span)
    }

    /// Whether the owner of a card signed it.
    fileprivate func isSigned(by card: DeviceCard, team: Identifier) -> Bool {
        var writer = ByteWriter()
        DeviceHead.append(
            device, counter, changes, seen, rosterCount, rosterDigest, to: &writer)
        return SigningKey.isValid(
            signature, of: DeviceHead.label(team) + writer.bytes, by: card.signingKey)
    }

    private static func label(_ team: Identifier) -> [UInt8] {
        Array("lanyard device head".utf8) + team.bytes
    }

    private static func append(
        _ device: Identifier, _ counter: UInt64, _ changes: DigestSum, _ seen: VersionVector,
        _ rosterCount: UInt64, _ rosterDigest: [UInt8], to writer: inout ByteWriter
    ) {
        writer.raw(device.bytes)
        writer.number(counter)
        changes.append(to: &writer)
        seen.append(to: &writer)
        writer.number(rosterCount)
        writer.raw(rosterDigest)
    }

    func append(to writer: inout ByteWriter) {
        DeviceHead.append(
            device, counter, changes, seen, rosterCount, rosterDigest, to: &writer)
        writer.raw(signature)
    }

    /// Reads a head. The signature is not checked yet.
    ///
    /// - Throws: ``Status/decode`` if there is none.
    init(reading reader: inout ByteReader) throws(KeychainError) {
        device = try Identifier(reading: &reader)
        counter = try reader.number()
        changes = try DigestSum(reading: &reader)
        seen = try VersionVector(reading: &reader)
        rosterCount = try reader.number()
        rosterDigest = try reader.raw(KeyedDigest.size)
        signature = try reader.raw(SigningKey.signatureSize)
        guard counter > 0, counter < SyncLimits.number else {
            throw KeychainError(.decode)
        }
    }
}

extension Roster {
    /// Whether a device of the team signed a head that names no others: it could name any number of them.
    func isRight(_ head: DeviceHead) -> Bool {
        guard let card = devices[head.device]?.card,
            head.seen.devices.allSatisfy({ devices[$0] != nil })
        else {
            return false
        }
        return head.isSigned(by: card, team: team)
    }
}
