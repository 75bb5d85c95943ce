package import KeychainServices
internal import LinuxSystem
internal import SQLiteFile
internal import LanyardSecrets
internal import SyncEngine

/// What is stored beside a shared keychain: the address of its server, the replica, and which of its items
/// the keychain has.
final class SharedState {
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
        /// The devices whose changes did not fit with others in some exchange.
        var contradicting: Set<Identifier> = []
    }

    /// The server's address.
    let address: String
    /// Whether only synchronizable items are exchanged.
    let isForSynchronizable: Bool
    let replica: Replica
    /// The key of digests, and of the file.
    let key: Secret
    var progress = Progress()
    /// Called with how far an exchange is.
    var report: SyncProgress = { _, _, _ in }

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
            throw header.first.flatMap { unreleased(Int64($0), place) } ?? KeychainError(.decode)
        }
        // SQLite has the number of the form there.
        let format = header[60..<64].reduce(0) { $0 << 8 | Int64($1) }
        if let error = unreleased(format, place) {
            throw error
        }
        guard access == .reading else {
            return try Database(
                path: place.file, errors: errors, access: access, busyTimeout: timeout)
        }
        return database
    }

    /// Returns the error for a format that no release of Lanyard had; nil for another one.
    private static func unreleased(
        _ format: Int64, _ place: SharedKeychain.Place
    ) -> KeychainError? {
        guard format < SealedRows.format else {
            return nil
        }
        return KeychainError(
            .wrongVersion,
            "'\(place.file)' has format \(format), which no release of Lanyard reads",
            hint: joiningAgain(place))
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
        rows.damage = damaged(place)
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
        while !reader.isAtEnd {
            state.progress.contradicting.insert(try Identifier(reading: &reader))
        }
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
                for device in progress.contradicting.sorted() {
                    writer.raw(device.bytes)
                }
                try replica.rows.set(writer.bytes, .keychain, [])
                return result
            }
        } catch {
            progress = before
            throw error
        }
    }

    /// Whether an item with these attributes is exchanged.
    func isShared(_ attributes: ItemAttributes) -> Bool {
        SharedState.isShared(attributes, isForSynchronizable: isForSynchronizable)
    }

    /// The same for a keychain that was not opened. A file as it was before a setup is not exchanged: it means nothing
    /// on other machines, and has more than the logins that were moved.
    static func isShared(_ attributes: ItemAttributes, isForSynchronizable: Bool) -> Bool {
        ItemContent.travels(attributes) && attributes.accessGroup != .setupGroup
            && (!isForSynchronizable || attributes.synchronizable == true)
    }
}

extension SharedKeychain.Place {
    /// Whether the keychain is shared and its team gets an item with these attributes. This reads nothing.
    package func shares(_ attributes: ItemAttributes, isForSynchronizable: Bool) -> Bool {
        isShared && SharedState.isShared(attributes, isForSynchronizable: isForSynchronizable)
    }
}
