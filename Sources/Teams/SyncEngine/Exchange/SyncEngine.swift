internal import LanyardCryptography
package import LinuxSystem
package import LanyardSecrets

/// Exchanges items between a device's replica and a team's server.
///
/// The server is not trusted. It can refuse to work and it can show nothing new; whatever else it does is
/// noticed, and changes nothing in the replica.
package final class SyncEngine {
    /// What is known of the team. Each operation stores it, unless it is a part of other changes of the replica.
    package let replica: Replica
    let device: DeviceIdentity
    let transport: any SyncTransport
    /// The team's keys, as ``Roster/keys(of:)`` returns them, and the last entry of the roster that has them.
    var keys: [TeamKey]
    var rosterOfKeys: (digest: [UInt8], lost: Int)
    /// Whether something was shown that only a look at everything explains.
    var seesOnlyPart = false
    /// The items that others can't read or would refuse until this device stores them again.
    var unreadable: Set<Identifier> = []
    /// The devices that are being removed.
    var removing: Set<Identifier> = []
    /// The date of the last change of the roster that this device signed, also of one that the server did not take.
    var lastDate: Timestamp?
    let now: () -> Timestamp
    let wait: (_ attempt: Int) -> Void
    /// The number of records of one put.
    let pieceCount: Int
    /// Called with how far an exchange is.
    package var progress: SyncProgress = { _, _, _ in }
    /// When an exchange gives the server nothing more, but for its first piece; nil for never.
    package var deadline: Deadline?
    /// The milliseconds in which the server has to show all its changes.
    var timeLimit = SyncLimits.time
    /// The number of changes that an entry of the roster names.
    var lastChangesLimit = SyncLimits.lastChanges
    /// The size of an entry of the roster, in bytes.
    var entrySizeLimit = SyncLimits.givenSize
    /// For each device that signed what is not so, the devices whose changes it named; itself, if it alone is concerned.
    var contradicting: [Identifier: Set<Identifier>] = [:]
    /// The versions of removed devices' heads at the last exchange: what is wrong with them was said then.
    var headsBefore: [Identifier: UInt64] = [:]
    /// The devices whose heads the server was asked for.
    var askedHeads: Set<Identifier> = []
    /// The number of the last change that this device signed, also of one that the server did not take: it may show that
    /// one later.
    private var lastSigned: UInt64 = 0
    /// How far the server was at the last exchange, if the next one looks at everything again because heads were hidden.
    private(set) var headBeforeHidden: ServerHead?
    /// The number before those that are reserved for the next exchange.
    private var lastBeforeReserved: UInt64?

    /// How often something is tried while other devices write at the same time.
    static let attemptLimit = 12

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - pieceCount: The number of items that the server gets at once.
    ///   - wait: Waits before another attempt; the first attempt is 0.
    /// - Throws: ``Status/decode`` if the roster does not have the device.
    package init(
        _ replica: Replica, _ device: DeviceIdentity, _ transport: any SyncTransport,
        pieceCount: Int = SyncPiece.count,
        now: @escaping () -> Timestamp, wait: @escaping (_ attempt: Int) -> Void
    ) throws(KeychainError) {
        self.replica = replica
        self.device = device
        self.transport = transport
        self.pieceCount = pieceCount
        self.now = now
        self.wait = wait
        keys = try replica.roster.keys(of: device)
        rosterOfKeys = (replica.roster.lastDigest, replica.roster.lost.count)
    }

    // MARK: Items

    /// Makes local changes part of the replica, gets what other devices changed, and gives the server what
    /// it lacks.
    ///
    /// Much is given in pieces. Each has this device's head, so it is a whole exchange for the others: if it is the
    /// last one because this process ends, the next exchange finds its items there, and goes on.
    ///
    /// - Parameters:
    ///   - count: The number of changes.
    ///   - change: Returns a change by its index, nil if there is nothing to give any more. More than once, if other
    ///     devices write at the same time.
    /// - Throws: ``Status/param`` for a content of more than 4 MiB;
    ///   ``Status/notAvailable`` if other devices write all the time, before the last piece, or the server shows its
    ///   changes too slowly;
    ///   ``Status/decode`` if the server leaves something out or shows different teams to
    ///   different devices; what the transport and the function throw. The replica then stays as it was.
    package func exchange(
        _ count: Int = 0,
        change: (_ index: Int) throws(KeychainError) -> LocalChange? = { _ in nil }
    ) throws(KeychainError) -> SyncReport {
        try replica.change { () throws(KeychainError) in
            if let last = lastBeforeReserved {
                // If this fails or the process ends, all of them count as used.
                (replica.summary.lastNumber, lastBeforeReserved) = (last, nil)
            }
            var report = SyncReport()
            var lacking = try Lacking(in: replica)
            headBeforeHidden = nil
            defer {
                if lacking.hidesHeads, hasPresentKey {
                    headBeforeHidden = replica.server
                    // The next exchange looks at everything again.
                    replica.summary.server = .start
                }
            }
            var rest = 0..<count
            var attempt = 0
            try fetch(&lacking, &report)
            if count > 0 {
                progress(.sending, 0, count)
            }
            while true {
                // Under an older key it could be read by devices that were removed.
                guard hasPresentKey else {
                    report.unsent = rest.count
                    return report
                }
                let step = try give(
                    rest, change, &lacking, isLastAttempt: attempt + 1 == SyncEngine.attemptLimit)
                switch step {
                case .nothing:
                    return report
                case .stored(let sent, let count):
                    rest = rest.dropFirst(count)
                    progress(.sending, rest.lowerBound, rest.upperBound)
                    report.sent += sent
                    attempt = 0
                    if try isOver(rest.count, lacking, &report) {
                        return report
                    }
                case .waiting(let waiting):
                    report.waiting = waiting
                    return report
                case .conflict:
                    wait(attempt)
                    attempt += 1
                    if attempt + 1 == SyncEngine.attemptLimit {
                        // What is known of the server's versions may be wrong.
                        replica.summary.server = .start
                    }
                    try fetch(&lacking, &report)
                }
            }
        }
    }

    /// Whether the time has passed although the server lacks something: the next exchange gives it.
    private func isOver(
        _ rest: Int, _ lacking: Lacking, _ report: inout SyncReport
    ) throws(KeychainError) -> Bool {
        guard deadline?.hasPassed == true else {
            return false
        }
        let count = try lacking.items.count + unreadable.count
        if count > 0 {
            // The next exchange compares everything, and finds them.
            replica.summary.server = .start
        }
        report.waiting = count
        report.unsent = rest
        report.isOutOfTime = count + rest > 0
        return report.isOutOfTime
    }

    /// What came of an attempt to give the server a piece.
    private enum Step {
        /// The server lacks nothing.
        case nothing
        /// It stored this many records, with so many changes.
        case stored(records: Int, changes: Int)
        /// It did not take this many records, the last ones: the next exchange gives them.
        case waiting(records: Int)
        /// Other devices wrote at the same time.
        case conflict
    }

    /// Gives the server a piece of what it lacks: made anew for each attempt, with the key and the number that are
    /// right then.
    ///
    /// - Parameter rest: The indices of the changes that are not part of the replica yet.
    private func give(
        _ rest: Range<Int>, _ change: (Int) throws(KeychainError) -> LocalChange?,
        _ lacking: inout Lacking, isLastAttempt: Bool
    ) throws(KeychainError) -> Step {
        let keeps = { (step: Step) in
            if case .conflict = step { false } else { true }
        }
        return try replica.change(keepingIf: keeps) { () throws(KeychainError) -> Step in
            var piece = try piece(of: lacking)
            let renewed = piece.isLast ? try renew(&piece) : []
            let count = piece.isLast ? try apply(rest, change, &piece) : 0
            let puts = try puts(of: piece)
            guard let last = puts.last else {
                return .nothing
            }
            guard
                try transport.put(puts, rosterCount: replica.server.rosterCount) == .stored
            else {
                guard isLastAttempt else {
                    return .conflict
                }
                guard count == rest.count else {
                    throw SyncEngine.busy
                }
                // The next exchange compares everything, and gives what waits.
                replica.summary.server = .start
                return .waiting(records: puts.count)
            }
            for put in puts {
                try replica.setServerVersion(of: put.id, to: put.version + 1)
            }
            replica.summary.lastRecord = Replica.LastRecord(
                id: last.id, version: last.version + 1, content: last.content)
            if piece.hasOwnHead {
                try replica.set(replica.head(of: device))
            }
            try lacking.remove(piece)
            unreadable.subtract(renewed)
            return .stored(records: puts.count, changes: count)
        }
    }

    /// Makes a roster part of the replica whose last entry the server just took.
    ///
    /// - Parameter head: How far the server was before.
    func takeOver(_ roster: Roster, after head: ServerHead) throws(KeychainError) {
        try replica.change { () throws(KeychainError) in
            let isRemoval = roster.present.count < replica.roster.present.count
            try replica.set(roster)
            // The server may have changes of a removed device that don't count: the next exchange compares everything.
            replica.summary.server =
                isRemoval || replica.server == .start
                ? .start
                : ServerHead(
                    sequence: replica.server.sequence, rosterCount: head.rosterCount + 1)
        }
    }

    /// Returns the content of a version, nil for a deletion.
    ///
    /// - Throws: ``Status/decode`` if it does not authenticate.
    package func content(
        of version: ItemVersion, of record: Identifier
    ) throws(KeychainError) -> Secret? {
        try content(of: version, of: record, under: keys)
    }

    func content(
        of version: ItemVersion, of record: Identifier, under keys: [TeamKey]
    ) throws(KeychainError) -> Secret? {
        try keys.trying(version.generation) { key throws(KeychainError) in
            try version.open(of: record, team: replica.roster.team, under: key)
        }
    }

    /// Returns the newest version of an item that this device made after its change of a number, nil if there is
    /// none.
    package func newVersion(
        of record: Identifier, after counter: UInt64
    ) throws(KeychainError) -> ItemVersion? {
        try replica.item(record)?.versions
            .filter { $0.device == device.id && $0.counter > counter }
            .max { $0.counter < $1.counter }
    }

    /// The number of this device's last change: what others say of it does not count, and no number is used again.
    package var counter: UInt64 {
        let present = replica.roster.devices[device.id].flatMap { $0.role == nil ? nil : $0 }
        return max(
            lastSigned, replica.summary.lastNumber, replica.seen[device.id], given,
            present?.lostBelow ?? 0)
    }

    /// Reserves numbers for changes, to be stored before an exchange gives them. A server can take changes, and hide that from
    /// a process which ends before it hears it: another change with one of these numbers would look like a lie.
    ///
    /// - Parameter count: The number of changes.
    package func reserveNumbers(_ count: Int) throws(KeychainError) {
        let last = counter
        try replica.change { () throws(KeychainError) in
            replica.summary.lastNumber = last + UInt64(count * SyncEngine.attemptLimit)
        }
        lastBeforeReserved = last
    }

    static let busy = KeychainError(
        .notAvailable, "other devices keep changing the team's items",
        hint: "try again in a minute")

    /// Applies changes.
    ///
    /// - Parameters:
    ///   - rest: Their indices.
    ///   - piece: What the server gets: the changes' records are added.
    /// - Returns: The number of those that were applied: no more than the server gets at once.
    private func apply(
        _ rest: Range<Int>, _ change: (Int) throws(KeychainError) -> LocalChange?,
        _ piece: inout Piece
    ) throws(KeychainError) -> Int {
        guard !rest.isEmpty else {
            return 0
        }
        guard let role = replica.roster.devices[device.id]?.role, role != .reader else {
            throw KeychainError(
                .writePermissions, "this device may read the team's items, but not change them",
                hint: "ask an owner of the team for another role")
        }
        for index in rest {
            guard piece.items.count < pieceCount, piece.size < SyncPiece.size else {
                return index - rest.lowerBound
            }
            if let change = try change(index) {
                try apply(change, &piece)
            }
        }
        return rest.count
    }

    /// - Parameter version: The version that the change stores again.
    func apply(
        _ change: LocalChange, again version: ItemVersion? = nil, _ piece: inout Piece
    ) throws(KeychainError) {
        let date = version?.date ?? now()
        let record = change.record
        let known = try replica.item(record)
        if version == nil, try isThere(change, known) {
            return
        }
        guard change.size <= SyncLimits.contentSize else {
            throw KeychainError(.param, "an item of a team has at most 4 MiB")
        }
        // This device's own earlier versions are replaced too, also those that it forgot; the largest ones that leave no
        // room for this one; and those that are stored nowhere: others have to know why.
        var context = change.context
        var clock = change.clock
        var room =
            SyncLimits.givenItemSize - SharedItem.reservedSize - SyncLimits.versionSize
            + SyncLimits.contentSize - change.size
        for version in (known?.versions ?? []).sorted(by: { $0.size < $1.size }) {
            let isOwn = version.device == device.id
            if !isOwn, change.context[version.device] < version.counter {
                room -= version.size
            }
            if isOwn || room < 0 && change.size > 0 {
                context.merge(version.context)
                clock = max(clock, version.clock)
            }
        }
        for change in known?.dropped ?? [] where context[change.device] < change.counter {
            context[change.device] = change.counter
        }
        // Changes that do not count any more, or that only a version claims, no other device could find.
        context.limit(to: known?.context ?? VersionVector())
        guard counter + 1 < SyncLimits.number else {
            throw KeychainError(
                .param, "this device has used up its numbers in the team",
                hint: "lanyard team leave, then join again")
        }
        // How old an item from before joining is, no date says: an import and a restored copy have that of today.
        let loses = change.isFromBefore && known != nil && clock == 0
        clock = min(clock + 1, SyncLimits.number - 1)
        if loses {
            clock = 0
        } else if let version, version != known?.winner {
            // It still is not the one that wins.
            clock = version.clock
        }
        let version = try ItemVersion(
            of: record, content: change.content, context: context,
            counter: counter + 1, clock: clock, date: date, by: device,
            team: replica.roster.team, under: presentKey())
        var item = known ?? SharedItem(version)
        item.add(version)
        item = item.withoutOlder(namesOverruled)
        replica.summary.lastNumber = version.counter
        lastSigned = version.counter
        try replica.set(item, as: record, insteadOf: known)
        piece.items.insert(record)
        piece.size += item.size
        piece.hasOwnHead = true
    }

    /// Whether an item has a change's content already: the device gave it before and did not hear that it
    /// was stored, or another one made the same.
    private func isThere(
        _ change: LocalChange, _ item: SharedItem?
    ) throws(KeychainError) -> Bool {
        // A content that does not authenticate is replaced.
        guard let item, item.context != change.context,
            let present = try? content(of: item.winner, of: change.record)
        else {
            return false
        }
        return change.has(present)
    }
}
