internal import LanyardCryptography
package import LanyardSecrets

/// One version of a shared item, encrypted and signed by the device that made it. Merging never
/// decrypts it.
package struct ItemVersion: Hashable, Sendable {
    /// The device that made it.
    package let device: Identifier
    /// The number of this change among all of the device's changes, from 1.
    let counter: UInt64
    /// The item's changes that it replaces, and itself.
    let context: VersionVector
    /// The Lamport time: higher than that of every version it replaces. It is 0 for what a device had before it
    /// joined a team that has the item.
    package let clock: UInt64
    /// When it was made, by the clock of the device. Only the order in which a keychain stores items depends
    /// on it.
    package let date: Timestamp
    /// The generation of the team's key that its content is under.
    let generation: UInt32
    /// The content in a ``SealedBox``; nil if the item was deleted.
    let content: [UInt8]?
    private let signature: [UInt8]

    /// What its device signed of it.
    var change: SignedChange {
        SignedChange(
            device: device, counter: counter,
            digest: ItemVersion.digest(context, clock, date, generation, content),
            signature: signature)
    }

    /// What tells it from any other version, also from one that its device signs later with the same number.
    var tag: Identifier { SignedChange.tag(of: signature) }

    /// About how much of a record it takes, in bytes.
    var size: Int { ItemVersion.frameSize + context.size + (content?.count ?? 0) }

    private static let frameSize = 128

    /// Whether it deletes the item.
    package var isDeletion: Bool { content == nil }

    /// Encrypts a content and signs it.
    ///
    /// - Parameters:
    ///   - record: The item's id.
    ///   - content: nil to delete the item.
    init(
        of record: Identifier, content: borrowing Secret?, context: VersionVector,
        counter: UInt64, clock: UInt64, date: Timestamp, by device: DeviceIdentity,
        team: Identifier, under key: TeamKey
    ) throws(KeychainError) {
        self.device = device.id
        self.counter = counter
        var context = context
        context[device.id] = counter
        self.context = context
        self.clock = clock
        self.date = date
        generation = key.generation
        switch content {
        case .some(let content):
            let padded = content.withBytes { Padding.pad($0) }
            self.content = try padded.withBytes { (padded) throws(KeychainError) in
                try SealedBox.seal(
                    padded, under: key.contentKey,
                    associatedData: ItemVersion.associatedData(
                        team, record, device.id, counter, key.generation))
            }
        case .none: self.content = nil
        }
        signature =
            SignedChange(
                of: record, counter,
                digest: ItemVersion.digest(context, clock, date, key.generation, self.content),
                by: device, team: team
            ).signature
    }

    /// Returns the content; nil for a deletion.
    ///
    /// - Throws: ``Status/decode`` if it does not authenticate.
    func open(
        of record: Identifier, team: Identifier, under key: TeamKey
    ) throws(KeychainError) -> Secret? {
        guard let content else {
            return nil
        }
        let padded = try SealedBox.open(
            content.span, under: key.contentKey,
            associatedData: ItemVersion.associatedData(team, record, device, counter, generation))
        return try Padding.withoutPadding(padded) { Secret(copying: $0) }
    }

    /// Whether the owner of a card made this version, of this item.
    func isSigned(by card: DeviceCard, of record: Identifier, team: Identifier) -> Bool {
        change.isSigned(by: card, of: record, team: team)
    }

    /// Whether its device says that it knew another one.
    func knows(_ other: ItemVersion) -> Bool {
        context[other.device] >= other.counter
    }

    /// Whether a version is earlier than another one, the same on all devices: by Lamport time, then by
    /// device. The signature only decides if a copied device made two changes of one number.
    package static func isEarlier(_ left: ItemVersion, _ right: ItemVersion) -> Bool {
        let (leftOrder, rightOrder) = (
            (left.clock, left.device, left.counter), (right.clock, right.device, right.counter)
        )
        return leftOrder == rightOrder
            ? left.signature.lexicographicallyPrecedes(right.signature) : leftOrder < rightOrder
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(signature)
    }

    // MARK: The stored form

    /// What binds a content to its place.
    private static func associatedData(
        _ team: Identifier, _ record: Identifier, _ device: Identifier, _ counter: UInt64,
        _ generation: UInt32
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw("lanyard item content")
        for id in [team, record, device] {
            writer.raw(id.bytes)
        }
        writer.number(counter)
        writer.number(generation)
        return writer.bytes
    }

    /// The digest of all but the device and its number.
    private static func digest(
        _ context: VersionVector, _ clock: UInt64, _ date: Timestamp, _ generation: UInt32,
        _ content: [UInt8]?
    ) -> [UInt8] {
        var writer = ByteWriter()
        append(context, clock, date, generation, isDeletion: content == nil, to: &writer)
        let content = content ?? []
        let digest = KeyedDigest.make(under: Span(), writer.bytes.span, content.span)
        return [UInt8](room: KeyedDigest.size) { $0.append(copying: digest.span) }
    }

    private static func append(
        _ context: VersionVector, _ clock: UInt64, _ date: Timestamp, _ generation: UInt32,
        isDeletion: Bool, to writer: inout ByteWriter
    ) {
        context.append(to: &writer)
        writer.number(clock)
        writer.number(date.secondsSinceEpoch)
        writer.number(generation)
        writer.number(UInt8(isDeletion ? 0 : 1))
    }

    func append(to writer: inout ByteWriter) {
        writer.raw(device.bytes)
        writer.number(counter)
        ItemVersion.append(context, clock, date, generation, isDeletion: isDeletion, to: &writer)
        writer.counted(content ?? [])
        writer.raw(signature)
    }

    /// Reads a version. The signature is not checked yet.
    ///
    /// - Throws: ``Status/decode`` for anything that ``append(to:)`` does not write.
    init(reading reader: inout ByteReader) throws(KeychainError) {
        device = try Identifier(reading: &reader)
        counter = try reader.number()
        context = try VersionVector(reading: &reader)
        clock = try reader.number()
        date = Timestamp(secondsSinceEpoch: try reader.number())
        generation = try reader.number()
        let mark = try reader.number(UInt8.self)
        let bytes = try reader.counted()
        content = mark == 1 ? bytes : nil
        signature = try reader.raw(SigningKey.signatureSize)
        // The context's bound is the number's too.
        guard mark < 2, mark == 1 || bytes.isEmpty, counter > 0, context[device] == counter,
            clock < SyncLimits.number
        else {
            throw KeychainError(.decode)
        }
    }
}
