internal import LanyardCryptography
internal import Glibc
package import KeychainServices
package import LinuxSystem
package import LanyardSecrets
package import SyncEngine

/// A keychain whose items travel between the devices of a team, or of one person. The keychain itself is the
/// replica on this device: reading and storing items needs no server. An exchange brings both together.
package final class SharedKeychain {
    /// The keychain's place.
    package struct Place {
        /// The keychain's name.
        let name: String
        /// The folder of the machine key.
        let stateFolder: String
        /// The keychain's file.
        let keychainFile: String?

        /// Creates a place.
        ///
        /// - Parameter keychainFile: The keychain's file; nil if the items are always compared with the replica.
        package init(name: String, stateFolder: String, keychainFile: String?) {
            self.name = name
            self.stateFolder = stateFolder
            self.keychainFile = keychainFile
        }

        /// The file with the replica.
        var file: String { "\(stateFolder)/\(name).team" }
        /// The file with the mark of an exchange that left nothing to do.
        var mark: String { "\(file).mark" }

        /// The folder for files of the program that reaches a team's server.
        package static func transportFolder(
            of team: Identifier, stateFolder: String
        ) -> String {
            "\(stateFolder)/\(team.text).sync"
        }

        /// Removes all files beside the keychain.
        ///
        /// - Parameter team: The team; nil if it is unknown, and what its server's program has stays.
        func removeFiles(of team: Identifier?) {
            for path in [file, "\(file)-journal", mark, "\(file).queue", "\(file).lock"] {
                try? SystemCalls.unlink(path)
            }
            if let team {
                PrivatePlace.removeFolder(
                    Place.transportFolder(of: team, stateFolder: stateFolder))
            }
        }

        /// Whether the keychain is shared. This reads nothing.
        package var isShared: Bool { (try? PrivatePlace.exists(file)) == true }
    }

    /// Returns the way to a team on the server with an address.
    package typealias Connect =
        (_ address: String, _ team: Identifier) throws(KeychainError) -> any SyncTransport

    let place: Place
    let store: any KeychainStore
    let device: TeamDevice
    let connect: Connect
    let state: SharedState
    private let lock: Descriptor?

    /// When an exchange gives the server nothing more; nil for never.
    package var deadline: Deadline?

    /// For how long an exchange waits for another one of the same keychain, in milliseconds.
    private static let timeout: Int64 = 10_000

    // MARK: Opening

    /// Opens a shared keychain.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if the keychain is not shared; ``Status/databaseLocked`` if another
    ///   program exchanges its items; what the store throws.
    package convenience init(
        _ place: Place, _ store: any KeychainStore,
        connect: @escaping Connect
    ) throws(KeychainError) {
        try self.init(place, store, try SharedKeychain.lock(place), connect: connect)
    }

    /// Opens a shared keychain for an exchange that another one can replace.
    ///
    /// - Returns: nil if another exchange waits already: it takes all changes along.
    /// - Throws: As ``init(_:_:connect:)``.
    package static func openUnlessOneWaits(
        _ place: Place, _ store: any KeychainStore,
        connect: @escaping Connect
    ) throws(KeychainError) -> SharedKeychain? {
        guard let lock = try lockUnlessOneWaits(place) else {
            return nil
        }
        return try SharedKeychain(place, store, lock, connect: connect)
    }

    /// Waits, in a queue for one. The next one can wait as soon as this one ends it, before it reads the items.
    private static func lockUnlessOneWaits(_ place: Place) throws(KeychainError) -> Descriptor? {
        let queue = try openLock(place, "queue")
        guard (try? SystemCalls.lock(queue.number)) == true else {
            return nil
        }
        let lock = try lock(place)
        extendLifetime(queue)
        return lock
    }

    /// Opens a shared keychain to look at what is known here, without waiting for an exchange.
    ///
    /// - Throws: As ``init(_:_:connect:)``.
    package convenience init(
        lookingAt place: Place, _ store: any KeychainStore
    ) throws(KeychainError) {
        try self.init(place, store, nil) { (_, _) throws(KeychainError) in NoTransport() }
    }

    private init(
        _ place: Place, _ store: any KeychainStore, _ lock: consuming Descriptor?,
        connect: @escaping Connect
    ) throws(KeychainError) {
        let isLocked = lock != nil
        self.lock = lock
        guard let device = try TeamDevice.read(from: store),
            let state = try SharedState.open(place, isLocked: isLocked, under: device.fileKey)
        else {
            throw KeychainError(
                .noSuchKeychain, "the keychain '\(place.name)' is not shared with a team",
                hint: "lanyard team create ADDRESS --keychain \(place.name), or "
                    + "lanyard team join ADDRESS CODE --keychain \(place.name)")
        }
        self.place = place
        self.store = store
        self.device = device
        self.connect = connect
        self.state = state
        if let mark = ExchangeMark(place, under: device.fileKey), mark.isOfReplica(place) {
            state.progress.lastExchange = mark.date
        }
    }

    init(
        _ place: Place, _ store: any KeychainStore, _ device: TeamDevice, _ state: SharedState,
        _ lock: consuming Descriptor,
        connect: @escaping Connect
    ) {
        self.place = place
        self.store = store
        self.device = device
        self.state = state
        self.lock = consume lock
        self.connect = connect
    }

    private static func openLock(
        _ place: Place, _ ending: String
    ) throws(KeychainError) -> Descriptor {
        let folder = try PinnedFolder(place.stateFolder)
        do throws(SystemCallError) {
            return Descriptor(
                owning: try SystemCalls.open(
                    "\(place.name).team.\(ending)", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600,
                    in: folder.number))
        } catch {
            throw error.keychainError("can't open '\(place.file).\(ending)'")
        }
    }

    static func lock(_ place: Place) throws(KeychainError) -> Descriptor {
        let deadline = Deadline(milliseconds: timeout)
        while true {
            let file = try openLock(place, "lock")
            guard SystemCalls.lock(file.number, until: deadline) else {
                throw KeychainError(
                    .databaseLocked, "another program exchanges the items of '\(place.name)'",
                    hint: "try again in a minute")
            }
            // Whoever had the lock may have removed the file: then others lock the next one.
            if (try? SystemCalls.lstat("\(place.file).lock").st_ino)
                == (try? SystemCalls.fstat(file.number).st_ino)
            {
                return file
            }
        }
    }

    /// Whether a keychain has a device's keys, without which it is not shared.
    ///
    /// - Throws: What the store throws.
    package static func hasDevice(_ store: any KeychainStore) throws(KeychainError) -> Bool {
        try TeamDevice.isIn(store)
    }

    /// The group and the accessibility of the item with a device's keys.
    package static let deviceItem = (
        group: TeamDevice.accessGroup, accessible: TeamDevice.accessible
    )

    /// Whether an item is a device's keys, which belong to one keychain on one machine.
    package static func isDevice(_ attributes: ItemAttributes) -> Bool {
        TeamDevice.isDevice(attributes)
    }

    // MARK: What it knows

    /// The keychain's name.
    package var name: String { place.name }
    /// The team's roster, as of the last exchange.
    package var roster: Roster { state.replica.roster }
    /// This device's card.
    package var card: DeviceCard { device.identity.card }
    /// The server's address.
    package var address: String { state.address }
    /// Reads this device's keys again: a keychain is opened anew for writing, and may be another one then.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if it is another one of its name.
    func presentDevice() throws(KeychainError) -> TeamDevice {
        guard let present = try TeamDevice.read(from: store), present.identity.id == card.id else {
            throw replaced
        }
        return present
    }

    var replaced: KeychainError {
        KeychainError(
            .noSuchKeychain, "the keychain '\(name)' was deleted or restored meanwhile",
            hint: "if it is still shared: lanyard team sync --keychain \(name)")
    }

    /// Called with how far an exchange is.
    package var progress: SyncProgress {
        get { state.report }
        set { state.report = newValue }
    }

    /// The devices that ask to be added.
    package var requests: [DeviceCard] {
        // A recovery key never asks.
        state.replica.requests.values.filter { !$0.isRecoveryKey }
    }
    /// Whether more devices ask: others become visible when some are approved or refused.
    package var hasMoreRequests: Bool { state.replica.hasMoreRequests }
    /// When the last exchange was, nil if there was none.
    package var lastExchange: Timestamp? { state.progress.lastExchange }
    /// Checks all that is stored beside the keychain; else, what an exchange uses is checked then.
    ///
    /// - Throws: ``Status/decode`` if something was changed, removed, or put back from an older file.
    package func check() throws(KeychainError) {
        try state.replica.rows.check()
    }

    /// The number of changes that the server lacked after the last exchange.
    package var waiting: Int { Int(state.progress.waiting) }
    /// Whether an owner approved this device.
    package var isMember: Bool { roster.devices[card.id]?.role != nil }
    /// Whether an exchange found that this device was removed from the team, or its request to join refused.
    package var isRemoved: Bool { state.progress.isRemoved }
    /// Returns the number of items with concurrent changes that lost.
    package func conflicts() throws(KeychainError) -> Int { try conflictingRecords().count }

    /// Returns one record of each item with concurrent changes that lost, also of an item that two devices added at
    /// once: each made a record.
    func conflictingRecords() throws(KeychainError) -> [Identifier] {
        var conflicting: [Identifier] = []
        try state.forEachIdentity { _, records throws(KeychainError) in
            var (present, hasConflicts) = ([Identifier](), false)
            for record in records {
                if let item = try state.replica.item(record), try !state.isDeleted(record) {
                    present.append(record)
                    hasConflicts = hasConflicts || !item.conflicts.isEmpty
                }
            }
            if let first = present.first, hasConflicts || present.count > 1 {
                conflicting.append(first)
            }
        }
        return conflicting
    }

    /// Returns the records whose winning version has no right content, and whose earlier one is shown, by the device
    /// that made it.
    package func setAside() throws(KeychainError) -> [(device: DeviceCard, records: [Identifier])] {
        try state.setAside().compactMap { id, records in
            roster.devices[id].map { ($0.card, records.sorted()) }
        }.sorted { $0.device.id < $1.device.id }
    }

    /// The devices of the team whose changes did not fit with others in some exchange, also in one in the background. They
    /// lie, were restored or copied, or another one hid what they knew.
    package var contradicting: [DeviceCard] {
        roster.present.map(\.card).filter { state.progress.contradicting.contains($0.id) }
    }

    /// Returns the attributes of the items that the team's devices can read.
    package func sharedItems() throws(KeychainError) -> [ItemAttributes] {
        var all: [ItemAttributes] = []
        for itemClass in ItemClass.stored {
            var query = Query(itemClass, returns: .attributes)
            query.synchronizable = .any
            try store.forEachMatch(query) { item throws(KeychainError) in
                if let attributes = item.attributes, state.isShared(attributes) {
                    all.append(attributes)
                }
                return .next
            }
        }
        return all
    }

    /// Whether this device only reads the team's items.
    package var isReader: Bool { roster.devices[card.id]?.role == .reader }

    /// Returns the number of changes that the server does not have: those since the last exchange, and those
    /// that it could not take. A reader's changes are not for the server.
    package func changes() throws(KeychainError) -> Int {
        isReader ? 0 : max(try localChanges(), waiting)
    }

    /// Returns the number of changes that stay here, because this device only reads the team's items.
    package func refusedChanges() throws(KeychainError) -> Int {
        isReader ? try localChanges() : 0
    }

    private func localChanges() throws(KeychainError) -> Int {
        try KeychainChanges(store, state, isRestored: false).changeCount
    }

    /// Returns an engine that only reads what is here.
    func offlineEngine() throws(KeychainError) -> SyncEngine {
        guard isMember else {
            throw notApproved
        }
        return try engine(over: NoTransport())
    }

    private var notApproved: KeychainError {
        KeychainError(
            .missingEntitlement, "no owner of the team has approved this device yet",
            hint: "ask one to run: lanyard team approve \(card.code) --keychain \(name)")
    }

    /// Stores an item in the keychain, or changes the one with its identity.
    func put(_ item: NewItem) throws(KeychainError) {
        let items = try KeychainChanges(store, state, isRestored: false)
        try store.transaction { () throws(KeychainError) in
            _ = try presentDevice()
            try ShownItems(in: items).write(
                ItemContent(item.itemClass, item.attributes, secret: item.secret.copy()))
        }
    }

    func engine() throws(KeychainError) -> SyncEngine {
        let transport = try connect(state.address, roster.team)
        if !isMember {
            // What it asked to join is not another team now.
            let roster = try Roster(of: roster.team, from: transport, after: roster)
            try state.change { () throws(KeychainError) in try state.replica.set(roster) }
            guard isMember else {
                let isRefused = try transport.isRequestWithdrawn(of: card.id)
                if isRefused {
                    try state.change { () throws(KeychainError) in
                        state.progress.isRemoved = true
                    }
                }
                throw isRefused
                    ? KeychainError(
                        .missingEntitlement, "this device's request to join was ended",
                        hint: "ask an owner of the team, or lanyard team leave --keychain \(name)")
                    : notApproved
            }
        }
        return try engine(over: transport)
    }

    private func engine(
        over transport: any SyncTransport
    ) throws(KeychainError) -> SyncEngine {
        let engine = try SharedKeychain.engine(state.replica, device.identity, over: transport)
        engine.progress = progress
        engine.deadline = deadline
        return engine
    }

    static func engine(
        _ replica: Replica, _ identity: DeviceIdentity, over transport: any SyncTransport
    ) throws(KeychainError) -> SyncEngine {
        try SyncEngine(
            replica, identity, transport, now: SystemCalls.now, wait: wait)
    }

    /// Waits until other devices may have written, longer each time.
    static func wait(_ attempt: Int) {
        let limit = UInt32(50) << UInt32(min(attempt, 5))
        SystemCalls.sleep(milliseconds: UInt32.random(in: 10...limit))
    }
}
