internal import LanyardCryptography
internal import LanyardSecrets

/// What a record of the server is. Only a request to join and its end are readable by the server: they are
/// made before the device has the team's key.
enum RecordContent {
    /// An item.
    case item(SharedItem)
    /// A device's head.
    case head(DeviceHead)
    /// A device that asks to be added.
    case request(DeviceCard)
    /// A device that asks no more: it or an owner ended its request. No one signs this, because it only does what
    /// a server can do anyway: hide a request.
    case withdrawal(Identifier)

    private static let format: UInt8 = 1
    /// The bytes in front of a box: format (1), kind (1), generation (4).
    private static let prefixSize = 6

    private var kind: UInt8 {
        switch self {
        case .item: 1
        case .head: 2
        case .request: 3
        case .withdrawal: 4
        }
    }

    /// Returns the stored form, encrypted under the team's present key.
    func seal(
        as record: Identifier, team: Identifier, under key: TeamKey
    ) throws(KeychainError) -> [UInt8] {
        var content = ByteWriter()
        switch self {
        case .item(let item): item.append(to: &content)
        case .head(let head): head.append(to: &content)
        case .request(let card): return RecordContent.request(card)
        case .withdrawal(let device): return RecordContent.withdrawal(of: device)
        }
        let padded = Padding.pad(content.bytes.span)
        let prefix = [RecordContent.format, kind] + key.generation.bigEndianBytes
        let box = try padded.withBytes { (padded) throws(KeychainError) in
            try SealedBox.seal(
                padded, under: key.recordKey,
                associatedData: RecordContent.associatedData(prefix, record, team))
        }
        return prefix + box
    }

    /// Returns a request's stored form.
    static func request(_ card: DeviceCard) -> [UInt8] {
        var content = ByteWriter()
        card.append(to: &content)
        return [format, RecordContent.request(card).kind, 0, 0, 0, 0] + content.bytes
    }

    /// Returns the stored form of the end of a request.
    static func withdrawal(of device: Identifier) -> [UInt8] {
        [format, RecordContent.withdrawal(device).kind, 0, 0, 0, 0] + device.bytes
    }

    /// The id of the record of a request.
    static func requestRecord(of device: Identifier) -> Identifier {
        Identifier(reservedFor: "lanyard request to join", device.bytes)
    }

    /// Reads a record's stored form. No signature is checked yet.
    ///
    /// - Parameter keys: The team's keys, the first generation first.
    /// - Throws: ``Status/decode`` if it was not made by a device with the team's key, for this record. A later format
    ///   begins with an entry of the roster in one, which ``RosterEntry/init(_:)`` tells: a record alone is forged.
    init(
        _ bytes: [UInt8], of record: Identifier, team: Identifier, under keys: [TeamKey]
    ) throws(KeychainError) {
        guard bytes.count > RecordContent.prefixSize, bytes.count <= SyncLimits.recordSize,
            bytes[0] == RecordContent.format
        else {
            throw KeychainError(.decode)
        }
        let kind = bytes[1]
        let prefix = Array(bytes.prefix(RecordContent.prefixSize))
        let generation = prefix[2...].reduce(0) { $0 << 8 | Int($1) }
        guard kind != 3, kind != 4 else {
            var reader = ByteReader(Array(bytes.dropFirst(RecordContent.prefixSize)))
            let device: Identifier
            if kind == 3 {
                let card = try DeviceCard(reading: &reader)
                device = card.id
                self = .request(card)
            } else {
                device = try Identifier(reading: &reader)
                self = .withdrawal(device)
            }
            try reader.end()
            guard generation == 0, record == RecordContent.requestRecord(of: device) else {
                throw KeychainError(.decode)
            }
            return
        }
        guard kind == 1 || kind == 2 else {
            throw KeychainError(.decode)
        }
        let padded = try keys.trying(UInt32(generation)) { key throws(KeychainError) in
            try SealedBox.open(
                bytes.span.extracting(droppingFirst: RecordContent.prefixSize),
                under: key.recordKey,
                associatedData: RecordContent.associatedData(prefix, record, team))
        }
        // It contains no secret: contents are boxes of their own.
        let content = try Padding.withoutPadding(padded) { ByteString(copying: $0).bytes }
        var reader = ByteReader(content)
        if kind == 1 {
            let item = try SharedItem(reading: &reader)
            // Who was removed has older keys, and could put changes together that it never read.
            guard !record.isReserved, item.versions.allSatisfy({ $0.generation <= generation })
            else {
                throw KeychainError(.decode)
            }
            self = .item(item)
        } else {
            let head = try DeviceHead(reading: &reader)
            guard record == DeviceHead.record(of: head.device, team: team) else {
                throw KeychainError(.decode)
            }
            self = .head(head)
        }
        try reader.end()
    }

    private static func associatedData(
        _ prefix: [UInt8], _ record: Identifier, _ team: Identifier
    ) -> [UInt8] {
        Array("lanyard team record".utf8) + prefix + team.bytes + record.bytes
    }
}

extension ServerRecord {
    /// The generation of the key that it says it is under, 0 for none.
    var generation: UInt32 {
        var reader = ByteReader(Array(content.dropFirst(2).prefix(4)))
        return (try? reader.number()) ?? 0
    }
}
