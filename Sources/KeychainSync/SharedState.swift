internal import KeychainServices
internal import LinuxSystem
internal import Secrets
internal import SyncEngine

/// What is stored beside a shared keychain: the address of its server, the replica, and which of its items
/// the keychain has.
struct SharedState {
    /// What an item of the replica contains, or did before it was deleted; it saves decrypting it again.
    struct Content: Equatable {
        /// The version.
        let version: ItemVersion.Number
        /// The digest of what makes the item unique in a keychain.
        let identity: ItemDigest
        /// The digest of its content.
        let digest: ItemDigest
    }

    /// An item of the keychain.
    struct Row: Equatable {
        /// The record that it shows.
        let record: Identifier
        /// The version that it shows.
        let version: ItemVersion.Number
        /// The digest of the content that the keychain had after the last exchange.
        let digest: ItemDigest
        /// The state of the item in the replica then.
        let base: ItemBase
    }

    /// The server's address.
    let address: String
    /// Whether only synchronizable items are exchanged.
    let isForSynchronizable: Bool
    var replica: Replica
    var contents: [Identifier: Content] = [:]
    /// By identity.
    var rows: [ItemDigest: Row] = [:]
    /// When the last exchange was, nil if there was none.
    var lastExchange: Timestamp?
    /// The number of changes that the server lacks.
    var waiting: UInt32 = 0
    /// The number of exchanges that changed the keychain or the replica.
    var exchanges: UInt64 = 0
    /// Whether an exchange found that this device is not in the team any more, or was refused.
    var isRemoved = false
    /// The items whose changes an exchange was about to give the server. Not empty if that exchange was interrupted.
    var given: Set<Identifier> = []

    init(address: String, isForSynchronizable: Bool, _ replica: Replica) {
        self.address = address
        self.isForSynchronizable = isForSynchronizable
        self.replica = replica
    }

    // MARK: The stored form

    private static let format: UInt8 = 4

    private static func label(_ name: String) -> [UInt8] {
        [format] + Array("lanyard team replica".utf8) + Array(name.utf8)
    }

    /// Writes the file in one step.
    func write(to path: String, name: String, under key: borrowing Secret) throws(KeychainError) {
        var parts = try SealedParts.Writer(
            beside: path, start: [SharedState.format], under: key, label: SharedState.label(name))
        var writer = ByteWriter()
        writer.counted(Array(address.utf8))
        writer.number(UInt8((isForSynchronizable ? 1 : 0) | (isRemoved ? 2 : 0)))
        writer.number(lastExchange?.secondsSinceEpoch ?? Int64.min)
        writer.number(waiting)
        writer.number(exchanges)
        try replica.append(to: &writer) { writer throws(KeychainError) in try parts.next(&writer) }
        writer.number(UInt32(contents.count))
        for (record, content) in contents {
            writer.raw(record.bytes)
            content.version.append(to: &writer)
            content.identity.append(to: &writer)
            content.digest.append(to: &writer)
            try parts.next(&writer)
        }
        writer.number(UInt32(rows.count))
        for (identity, row) in rows {
            identity.append(to: &writer)
            writer.raw(row.record.bytes)
            row.version.append(to: &writer)
            row.digest.append(to: &writer)
            row.base.append(to: &writer)
            try parts.next(&writer)
        }
        writer.number(UInt32(given.count))
        for record in given {
            writer.raw(record.bytes)
            try parts.next(&writer)
        }
        try parts.finish(writer)
    }

    /// Reads the file.
    ///
    /// - Returns: nil if it is missing.
    /// - Throws: ``Status/decode`` if it is damaged or of another keychain; ``Status/wrongVersion`` for another
    ///   format.
    init?(path: String, name: String, under key: borrowing Secret) throws(KeychainError) {
        guard let file = try PrivatePlace.openIfThere(path) else {
            return nil
        }
        let format = try file.read(1, at: 0).first ?? SharedState.format
        guard format >= SharedState.format else {
            throw KeychainError(
                .wrongVersion, "'\(path)' has format \(format), which no release of Lanyard reads",
                hint: "move it away, and run: lanyard team join")
        }
        guard format == SharedState.format else {
            throw KeychainError(
                .wrongVersion, "'\(path)' has a form that this Lanyard does not know",
                hint: "install a newer Lanyard")
        }
        do throws(KeychainError) {
            var parts = try SealedParts.Reader(
                file, start: 1, under: key, label: SharedState.label(name))
            self = try SharedState(reading: &parts)
        } catch  where error.status == .decode {
            throw KeychainError(
                error.status, "'\(path)' is damaged, or another device made it",
                hint: "lanyard team leave --offline --keychain \(name), "
                    + "then join again with another --device name")
        }
    }

    private init(reading parts: inout SealedParts.Reader) throws(KeychainError) {
        var reader = try parts.begin()
        address = String(decoding: try reader.counted(), as: UTF8.self)
        let marks = try reader.number(UInt8.self)
        isForSynchronizable = marks & 1 != 0
        isRemoved = marks & 2 != 0
        let last = try reader.number(Int64.self)
        lastExchange = last == Int64.min ? nil : Timestamp(secondsSinceEpoch: last)
        waiting = try reader.number()
        exchanges = try reader.number()
        replica = try Replica(reading: &reader) { reader throws(KeychainError) in
            try parts.next(&reader)
        }
        for _ in 0..<(try reader.number(UInt32.self)) {
            let record = try Identifier(reading: &reader)
            contents[record] = Content(
                version: try ItemVersion.Number(reading: &reader),
                identity: try ItemDigest(reading: &reader),
                digest: try ItemDigest(reading: &reader))
            try parts.next(&reader)
        }
        for _ in 0..<(try reader.number(UInt32.self)) {
            let identity = try ItemDigest(reading: &reader)
            let record = try Identifier(reading: &reader)
            let version = try ItemVersion.Number(reading: &reader)
            let digest = try ItemDigest(reading: &reader)
            var base = try ItemBase(reading: &reader)
            // Mostly it is the present one, which is in memory already.
            if let present = replica.items[record].map({ ItemBase(of: $0) }), present == base {
                base = present
            }
            rows[identity] = Row(record: record, version: version, digest: digest, base: base)
            try parts.next(&reader)
        }
        for _ in 0..<(try reader.number(UInt32.self)) {
            given.insert(try Identifier(reading: &reader))
            try parts.next(&reader)
        }
        try reader.end()
    }
}
