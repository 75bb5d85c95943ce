internal import Cryptography
internal import LinuxSystem
package import Secrets

/// Exchanges items between a device's replica and a team's server.
///
/// The server is not trusted. It can refuse to work and it can show nothing new; whatever else it does is
/// noticed, and changes nothing in the replica.
package final class SyncEngine {
    /// What is known of the team. Store it after each operation; if that was not possible, the previous
    /// one is as good.
    package private(set) var replica: Replica
    let device: DeviceIdentity
    let transport: any SyncTransport
    var keys: [TeamKey]
    let now: () -> Timestamp
    let wait: (_ attempt: Int) -> Void
    /// The number of records of one put.
    private let pieceCount: Int
    /// The milliseconds in which the server has to show all its changes.
    var timeLimit = SyncLimits.time

    /// How often something is tried while other devices write at the same time.
    static let attemptLimit = 12

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - pieceCount: The number of items that the server gets at once.
    ///   - wait: Waits before another attempt; the first attempt is 0.
    /// - Throws: ``Status/decode`` if the roster has no key for the device.
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
    }

    // MARK: Items

    /// Makes local changes part of the replica, gets what other devices changed, and gives the server what
    /// it lacks.
    ///
    /// Much is given in pieces. Each has this device's head, so it is a whole exchange for the others: if it is the
    /// last one because this process ends, the next exchange finds its items there, and goes on.
    ///
    /// - Throws: ``Status/param`` for a content of more than 4 MiB;
    ///   ``Status/notAvailable`` if other devices write all the time, before the last piece, or the server shows its
    ///   changes too slowly;
    ///   ``Status/decode`` if the server leaves something out or shows different teams to
    ///   different devices; what the transport throws. The replica then stays as it was.
    package func exchange(_ changes: [LocalChange] = []) throws(KeychainError) -> SyncReport {
        var report = SyncReport()
        var base = replica
        var lacking = Lacking()
        var rest = changes[...]
        var attempt = 0
        try fetch(into: &base, &lacking, &report)
        while true {
            // Made anew for each attempt, with the key and the number that are right then.
            var next = base
            var piece = piece(of: lacking, in: next)
            let isLast = piece.items.count == lacking.items.count
            let count = try isLast ? apply(rest, to: &next, &piece) : 0
            let puts = try puts(of: next, piece)
            guard let last = puts.last else {
                replica = next
                return report
            }
            let result = try transport.put(puts, rosterCount: UInt64(next.roster.entries.count))
            if result == .stored {
                for put in puts {
                    next.versions[put.id] = put.version + 1
                }
                next.lastRecord = Replica.LastRecord(
                    id: last.id, version: last.version + 1, content: last.content)
                if piece.ownHead {
                    next.set(next.head(of: device))
                }
                base = next
                if isLast {
                    lacking = Lacking()
                } else {
                    lacking.items.subtract(piece.items)
                }
                rest = rest.dropFirst(count)
                report.sent += puts.count
                attempt = 0
                continue
            }
            attempt += 1
            guard attempt < SyncEngine.attemptLimit else {
                guard count == rest.count else {
                    throw SyncEngine.busy
                }
                // The next exchange compares everything, and gives what waits.
                next.server = .start
                replica = next
                report.waiting = puts.count
                return report
            }
            wait(attempt - 1)
            try fetch(into: &base, &lacking, &report)
        }
    }

    /// Makes a roster part of the replica whose last entry the server just took.
    func takeOver(_ roster: Roster) {
        replica.set(roster)
        replica.server = ServerHead(
            sequence: replica.server.sequence, rosterCount: UInt64(roster.entries.count))
    }

    /// Returns the content of a version, nil for a deletion.
    ///
    /// - Throws: ``Status/decode`` if it does not authenticate.
    package func content(
        of version: ItemVersion, of record: Identifier
    ) throws(KeychainError) -> Secret? {
        guard (1...keys.count).contains(Int(version.generation)) else {
            throw KeychainError(.decode)
        }
        return try version.open(
            of: record, team: replica.roster.team, under: keys[Int(version.generation) - 1])
    }

    /// Returns the newest version of an item that this device made and an earlier replica lacks, nil if there is none.
    package func newVersion(of record: Identifier, since earlier: Replica) -> ItemVersion? {
        replica.items[record]?.versions
            .filter { $0.device == device.id && $0.counter > earlier.seen[device.id] }
            .max { $0.counter < $1.counter }
    }

    /// The records that the server lacks.
    struct Lacking {
        var items: Set<Identifier> = []
        var heads: Set<Identifier> = []
        var ownHead = false
    }

    /// Returns as much of what is lacking as the server gets at once. Heads come last: what they tell of is there then.
    /// So do this device's changes that waited, which are at most one piece: no other head tells of them.
    private func piece(of lacking: Lacking, in replica: Replica) -> Lacking {
        var piece = Lacking()
        var size = 0
        for record in lacking.items {
            guard let item = replica.items[record], item.context[device.id] <= given(replica) else {
                continue
            }
            guard piece.items.count < pieceCount, size < SyncPiece.size else {
                return piece
            }
            piece.items.insert(record)
            size += item.size
        }
        return lacking
    }

    static let busy = KeychainError(
        .notAvailable, "other devices keep changing the team's items",
        hint: "try again in a minute")

    /// Applies changes.
    ///
    /// - Parameters:
    ///   - lacking: The records that the server gets: those of the changes are added.
    /// - Returns: The number of those that were applied: no more than the server gets at once.
    private func apply(
        _ changes: ArraySlice<LocalChange>, to next: inout Replica, _ lacking: inout Lacking
    ) throws(KeychainError) -> Int {
        guard !changes.isEmpty else {
            return 0
        }
        guard let role = next.roster.devices[device.id]?.role, role != .reader else {
            throw KeychainError(
                .writePermissions, "this device may read the team's items, but not change them",
                hint: "ask an owner of the team for another role")
        }
        var counter = next.seen[device.id]
        var size = lacking.items.reduce(0) { $0 + (next.items[$1]?.size ?? 0) }
        for (index, change) in changes.enumerated() {
            guard lacking.items.count < pieceCount, size < SyncPiece.size else {
                return index
            }
            let date = now()
            guard try !isThere(change, next) else {
                continue
            }
            guard change.size <= SyncLimits.contentSize else {
                throw KeychainError(.param, "an item of a team has at most 4 MiB")
            }
            counter += 1
            // This device's own earlier versions are replaced too, also those that it forgot.
            var context = change.context
            var clock = change.clock
            for version in next.items[change.record]?.versions ?? []
            where version.device == device.id {
                context.merge(version.context)
                clock = max(clock, version.clock)
            }
            let version = try ItemVersion(
                of: change.record, content: change.content, context: context,
                counter: counter, clock: min(clock + 1, SyncLimits.number - 1), date: date,
                by: device,
                team: next.roster.team, under: key(of: next.roster))
            var item = next.items[change.record] ?? SharedItem(version)
            item.add(version)
            next.set(item, as: change.record)
            size += item.size
            lacking.items.insert(change.record)
            lacking.ownHead = true
        }
        return changes.count
    }

    /// Whether the item has a change's content already: the device gave it before and did not hear that it
    /// was stored, or another one made the same.
    private func isThere(
        _ change: LocalChange, _ next: Replica
    ) throws(KeychainError) -> Bool {
        guard let item = next.items[change.record], item.context != change.context else {
            return false
        }
        guard let present = try content(of: item.winner, of: change.record) else {
            return false
        }
        return change.has(present)
    }

    func key(of roster: Roster) -> TeamKey {
        keys[Int(roster.generation) - 1]
    }

    private func puts(
        of next: Replica, _ lacking: Lacking
    ) throws(KeychainError) -> [ServerRecord] {
        var contents: [(Identifier, RecordContent)] = []
        for record in lacking.items.sorted() {
            if let item = next.items[record] {
                contents.append((record, .item(item)))
            }
        }
        var heads = lacking.heads.compactMap { next.heads[$0] }
        if lacking.ownHead {
            heads.removeAll { $0.device == device.id }
            heads.append(next.head(of: device))
        }
        for head in heads {
            contents.append(
                (DeviceHead.record(of: head.device, team: next.roster.team), .head(head)))
        }
        var puts: [ServerRecord] = []
        for (record, content) in contents {
            puts.append(
                ServerRecord(
                    id: record, version: next.versions[record] ?? 0,
                    content: try content.seal(
                        as: record, team: next.roster.team, under: key(of: next.roster))))
        }
        return puts
    }
}
