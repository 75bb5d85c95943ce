internal import KeychainServices
internal import LinuxSystem
internal import SQLiteFile
internal import Secrets
internal import SyncEngine

/// What is stored beside a shared keychain: the address of its server, the replica, and which of its items
/// the keychain has.
final class SharedState {
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

    /// What exchanges did.
    struct Progress {
        /// When the last exchange was, nil if there was none.
        var lastExchange: Timestamp?
        /// The number of changes that the server lacks.
        var waiting: UInt32 = 0
        /// The number of exchanges that changed the keychain or the replica.
        var exchanges: UInt64 = 0
        /// Whether an exchange found that this device is not in the team any more, or was refused.
        var isRemoved = false
    }

    /// The server's address.
    let address: String
    /// Whether only synchronizable items are exchanged.
    let isForSynchronizable: Bool
    let replica: Replica
    /// The key of digests, and of the file.
    let key: Secret
    var progress = Progress()

    private init(
        _ replica: Replica, address: String, isForSynchronizable: Bool, key: borrowing Secret
    ) {
        self.key = key.copy()
        self.replica = replica
        self.address = address
        self.isForSynchronizable = isForSynchronizable
    }

    // MARK: The file

    private static func label(_ name: String) -> [UInt8] {
        Array("lanyard team replica".utf8) + Array(name.utf8)
    }

    /// Makes the file of a keychain that is to be shared, and opens it.
    static func make(
        at place: SharedKeychain.Place, _ roster: Roster, address: String,
        isForSynchronizable: Bool, under key: borrowing Secret
    ) throws(KeychainError) -> SharedState {
        let rows = try SealedRows(under: key, label: label(place.name))
        let state = SharedState(
            try Replica(roster, in: rows), address: address,
            isForSynchronizable: isForSynchronizable, key: key)
        try state.change { () throws(KeychainError) in }
        // SQLite would undo the changes that an earlier file's journal has.
        try? SystemCalls.unlink("\(place.file)-journal")
        let file = try rows.database.serialized()
        try PrivatePlace.replaceFile(place.file, file.span)
        return try read(place, .writing, under: key)
    }

    /// Opens the file.
    ///
    /// - Parameter isLocked: Whether no other program exchanges its items: then it is opened for writing.
    /// - Returns: nil if it is missing.
    /// - Throws: ``Status/decode`` if it is damaged or of another keychain; ``Status/wrongVersion`` for another
    ///   format.
    static func open(
        _ place: SharedKeychain.Place, isLocked: Bool, under key: borrowing Secret
    ) throws(KeychainError) -> SharedState? {
        guard try PrivatePlace.exists(place.file) else {
            return nil
        }
        try PrivatePlace.checkFile(place.file)
        do throws(KeychainError) {
            return isLocked
                ? try read(place, .writing, under: key) : try looking(at: place, under: key)
        } catch {
            throw explained(error, place)
        }
    }

    private static func damaged(_ place: SharedKeychain.Place) -> KeychainError {
        KeychainError(
            .decode, "'\(place.file)' is damaged, or another device made it",
            hint: joiningAgain(place))
    }

    /// The team has a device of the present name until an owner removes it.
    private static func joiningAgain(_ place: SharedKeychain.Place) -> String {
        "lanyard team leave --offline --keychain \(place.name), "
            + "then join again with another --device name"
    }

    private static func explained(
        _ error: KeychainError, _ place: SharedKeychain.Place
    ) -> KeychainError {
        switch error.status {
        case .decode: damaged(place)
        case .databaseLocked:
            KeychainError(
                .databaseLocked, "the items of '\(place.name)' are being exchanged with the team",
                hint: "try again in a minute")
        case .wrongVersion where error.ownReason == nil:
            KeychainError(
                .wrongVersion, "'\(place.file)' has a form that this Lanyard does not know",
                hint: "install a newer Lanyard")
        default: error
        }
    }

    private static func looking(
        at place: SharedKeychain.Place, under key: borrowing Secret
    ) throws(KeychainError) -> SharedState {
        do throws(KeychainError) {
            return try read(place, .reading, under: key)
        } catch {
            guard error.status == .readOnly else {
                throw error
            }
            // An interrupted change has to be undone first.
            return try read(place, .writing, under: key)
        }
    }

    private static func database(
        _ place: SharedKeychain.Place, _ access: Database.Access
    ) throws(KeychainError) -> Database {
        let errors = Database.Errors(
            "the replica of the keychain '\(place.name)'", invalidFile: damaged(place))
        let timeout = access == .reading ? lookingTimeout : timeout
        // Opening for writing would read more than the header.
        let database = try Database(
            path: place.file, errors: errors, access: .reading, busyTimeout: timeout)
        let header = try database.header()
        guard header.starts(with: "SQLite format 3\0".utf8), header[18] == 1, header[19] == 1 else {
            guard let format = header.first, format < SealedRows.format else {
                throw KeychainError(.decode)
            }
            throw KeychainError(
                .wrongVersion,
                "'\(place.file)' has format \(format), which no release of Lanyard reads",
                hint: joiningAgain(place))
        }
        guard access == .reading else {
            return try Database(
                path: place.file, errors: errors, access: access, busyTimeout: timeout)
        }
        return database
    }

    /// For how long a program that changes the replica waits for one that reads it, in milliseconds.
    private static let timeout: Int64 = 5000
    /// For how long a program that reads the replica waits for one that changes it, in milliseconds. That may take as
    /// long as a server needs for a large exchange.
    private static let lookingTimeout: Int64 = 500

    private static func read(
        _ place: SharedKeychain.Place, _ access: Database.Access, under key: borrowing Secret
    ) throws(KeychainError) -> SharedState {
        let database = try SharedState.database(place, access)
        // All of one moment, while another program may change it.
        try database.execute("BEGIN")
        let rows = try SealedRows(database, under: key, label: SharedState.label(place.name))
        try rows.check()
        let replica = try Replica(reading: rows)
        guard let value = try rows.value(.keychain, []) else {
            throw KeychainError(.decode)
        }
        var reader = ByteReader(value)
        let address = String(decoding: try reader.counted(), as: UTF8.self)
        let marks = try reader.number(UInt8.self)
        let state = SharedState(
            replica, address: address, isForSynchronizable: marks & 1 != 0, key: key)
        let last = try reader.number(Int64.self)
        state.progress = Progress(
            lastExchange: last == Int64.min ? nil : Timestamp(secondsSinceEpoch: last),
            waiting: try reader.number(), exchanges: try reader.number(), isRemoved: marks & 2 != 0)
        try reader.end()
        try database.execute("COMMIT")
        return state
    }

    /// Runs changes: all are made, or none of them if the function throws. The outermost ones are stored.
    ///
    /// - Throws: What the function throws; ``Status/databaseLocked`` if another program reads the file for too long.
    func change<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let before = progress
        do throws(KeychainError) {
            return try replica.change { () throws(KeychainError) in
                let result = try body()
                var writer = ByteWriter()
                writer.counted(Array(address.utf8))
                writer.number(
                    UInt8((isForSynchronizable ? 1 : 0) | (progress.isRemoved ? 2 : 0)))
                writer.number(progress.lastExchange?.secondsSinceEpoch ?? Int64.min)
                writer.number(progress.waiting)
                writer.number(progress.exchanges)
                try replica.rows.set(writer.bytes, .keychain, [])
                return result
            }
        } catch {
            progress = before
            throw error
        }
    }

    // MARK: Contents

    /// Returns the content of an item, nil if it is not known.
    func content(of record: Identifier) throws(KeychainError) -> Content? {
        try replica.rows.value(.content, record.bytes).map { value throws(KeychainError) in
            try Content(value)
        }
    }

    /// Sets the content of an item; nil removes it.
    func set(_ content: Content?, of record: Identifier) throws(KeychainError) {
        if let content {
            try replica.rows.set(
                content.bytes, .content, record.bytes, link: content.identity.bytes)
        } else {
            try replica.rows.remove(.content, record.bytes)
        }
    }

    /// Returns the records of the items with an identity.
    func records(of identity: ItemDigest) throws(KeychainError) -> [Identifier] {
        try replica.rows.keys(.content, link: identity.bytes).map { key throws(KeychainError) in
            try Identifier(key)
        }
    }

    /// Calls a function with each identity, and the records of its items.
    func forEachIdentity(
        _ body: (ItemDigest, [Identifier]) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var present: ItemDigest?
        var records: [Identifier] = []
        try replica.rows.forEach(.content, by: .link) { key, value throws(KeychainError) in
            let identity = try Content(value).identity
            if let last = present, last != identity {
                try body(last, records)
                records = []
            }
            present = identity
            records.append(try Identifier(key))
        }
        if let present {
            try body(present, records)
        }
    }

    // MARK: Rows

    /// Returns the keychain's item with an identity, nil if it had none after the last exchange.
    func row(of identity: ItemDigest) throws(KeychainError) -> Row? {
        try replica.rows.value(.shown, identity.bytes).map { value throws(KeychainError) in
            try Row(value)
        }
    }

    /// Sets the keychain's item with an identity; nil removes it.
    func set(_ row: Row?, of identity: ItemDigest) throws(KeychainError) {
        if let row {
            try replica.rows.set(row.bytes, .shown, identity.bytes)
        } else {
            try replica.rows.remove(.shown, identity.bytes)
        }
    }

    // MARK: Items

    /// Whether an item with these attributes is exchanged.
    func isShared(_ attributes: ItemAttributes) -> Bool {
        ItemContent.travels(attributes)
            && (!isForSynchronizable || attributes.synchronizable == true)
    }

    /// Whether the team deleted an item.
    func isDeleted(_ record: Identifier) throws(KeychainError) -> Bool {
        guard let item = try replica.item(record) else {
            return true
        }
        return try version(of: item, record)?.isDeletion ?? false
    }

    /// Returns the version of an item that keychains show: the winning one, or an earlier one if that is set aside.
    ///
    /// - Returns: nil if the team does not store an earlier one any more.
    func version(
        of item: SharedItem, _ record: Identifier
    ) throws(KeychainError) -> ItemVersion? {
        guard try replica.rows.value(.unread, record.bytes)?.isEmpty == false else {
            return item.winner
        }
        guard let known = try content(of: record) else {
            return item.versions.first(where: \.isDeletion)
        }
        return item.versions.first { $0.number == known.version }
    }

    /// Returns the records whose winning version is set aside, by the device that made it.
    func setAside() throws(KeychainError) -> [Identifier: [Identifier]] {
        var records: [Identifier: [Identifier]] = [:]
        try replica.rows.forEach(.unread) { key, value throws(KeychainError) in
            if !value.isEmpty {
                records[try Identifier(value), default: []].append(try Identifier(key))
            }
        }
        return records
    }

    /// Brings the rows up to date with what an exchange gave the server that ended before it wrote them. Where the
    /// keychain differs, it was changed since.
    ///
    /// - Parameter counter: The number of this device's last change when it ended.
    /// - Throws: ``Status/decode`` if an item does not authenticate.
    func setRowsOfGiven(
        after counter: UInt64, _ engine: SyncEngine
    ) throws(KeychainError) {
        try replica.rows.forEach(.given) { key, _ throws(KeychainError) in
            let record = try Identifier(key)
            if let version = try engine.newVersion(of: record, after: counter) {
                try setRow(of: version, record, engine)
            }
        }
        try replica.rows.removeAll(.given)
    }

    private func setRow(
        of version: ItemVersion, _ record: Identifier, _ engine: SyncEngine
    ) throws(KeychainError) {
        if let bytes = try engine.content(of: version, of: record) {
            let content = try ItemContent(bytes)
            try set(
                Row(
                    record: record, version: version.number, digest: content.digest(under: key),
                    base: ItemBase(of: version)), of: content.identity(under: key))
        } else if let content = try content(of: record),
            try row(of: content.identity)?.record == record
        {
            try set(Row?.none, of: content.identity)
        }
    }

    /// Notes that the keychain may not show the item of an identity as it is.
    private func setUnshown(_ identity: ItemDigest) throws(KeychainError) {
        try replica.rows.set([], .unshown, identity.bytes)
    }

    /// Reads what is new in the replica. A deleted item's content is its last one.
    ///
    /// A version without a right content is set aside: a single member would stop everybody's exchange with one. Its
    /// record stays unread, with the device that made it.
    func update(with engine: SyncEngine) throws(KeychainError) {
        var setAside: [(key: [UInt8], device: Identifier)] = []
        try replica.rows.forEach(.unread) { key, _ throws(KeychainError) in
            let record = try Identifier(key)
            // What the keychain shows was made from the item as it was.
            if let identity = try content(of: record)?.identity {
                try setUnshown(identity)
            }
            if let item = try replica.item(record), let device = try update(record, item, engine) {
                setAside.append((key, device))
            }
        }
        try replica.rows.removeAll(.unread)
        for (key, device) in setAside {
            try replica.rows.set(device.bytes, .unread, key)
        }
    }

    /// - Returns: The device that made the winning version, if that is set aside.
    private func update(
        _ record: Identifier, _ item: SharedItem, _ engine: SyncEngine
    ) throws(KeychainError) -> Identifier? {
        let known = try content(of: record)?.version
        var (deletion, device): (ItemVersion.Number?, Identifier?)
        for version in item.versions {
            let number = deletion ?? version.number
            guard known != number else {
                return device
            }
            if version.isDeletion {
                deletion = number
            } else if let content = try readable(version, of: record, engine) {
                let identity = content.identity(under: key)
                try setUnshown(identity)
                try set(
                    Content(
                        version: number, identity: identity, digest: content.digest(under: key)),
                    of: record)
                return device
            } else if deletion == nil {
                device = device ?? version.device
            }
        }
        // Without any content that is known the keychain's item stays.
        if deletion != nil {
            try set(Content?.none, of: record)
        }
        return device
    }

    /// Returns the content of a version, nil for a deletion, and for anything that no Lanyard made, or a later one.
    func readable(
        _ version: ItemVersion, of record: Identifier, _ engine: SyncEngine
    ) throws(KeychainError) -> ItemContent? {
        do throws(KeychainError) {
            guard let bytes = try engine.content(of: version, of: record) else {
                return nil
            }
            return try ItemContent(bytes)
        } catch {
            guard error.status == .decode || error.status == .wrongVersion else {
                throw error
            }
            return nil
        }
    }
}

// MARK: The stored form

extension SharedState.Content {
    var bytes: [UInt8] {
        var writer = ByteWriter()
        version.append(to: &writer)
        identity.append(to: &writer)
        digest.append(to: &writer)
        return writer.bytes
    }

    /// - Throws: ``Status/decode`` for anything that ``bytes`` does not make.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        var reader = ByteReader(bytes)
        version = try ItemVersion.Number(reading: &reader)
        identity = try ItemDigest(reading: &reader)
        digest = try ItemDigest(reading: &reader)
        try reader.end()
    }
}

extension SharedState.Row {
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.raw(record.bytes)
        version.append(to: &writer)
        digest.append(to: &writer)
        base.append(to: &writer)
        return writer.bytes
    }

    /// - Throws: ``Status/decode`` for anything that ``bytes`` does not make.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        var reader = ByteReader(bytes)
        record = try Identifier(reading: &reader)
        version = try ItemVersion.Number(reading: &reader)
        digest = try ItemDigest(reading: &reader)
        base = try ItemBase(reading: &reader)
        try reader.end()
    }
}
