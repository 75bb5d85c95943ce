internal import Cryptography
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

    /// How often something is tried while other devices write at the same time.
    static let attemptLimit = 12

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - wait: Waits before another attempt; the first attempt is 0.
    /// - Throws: ``Status/decode`` if the roster has no key for the device.
    package init(
        _ replica: Replica, _ device: DeviceIdentity, _ transport: any SyncTransport,
        now: @escaping () -> Timestamp, wait: @escaping (_ attempt: Int) -> Void
    ) throws(KeychainError) {
        self.replica = replica
        self.device = device
        self.transport = transport
        self.now = now
        self.wait = wait
        keys = try replica.roster.keys(of: device)
    }

    // MARK: Items

    /// Makes local changes part of the replica, gets what other devices changed, and gives the server what
    /// it lacks.
    ///
    /// - Throws: ``Status/param`` for a content of more than 4 MiB;
    ///   ``Status/decode`` if the server leaves something out or shows different teams to
    ///   different devices; what the transport throws. The replica then stays as it was.
    package func exchange(_ changes: [LocalChange] = []) throws(KeychainError) -> SyncReport {
        var report = SyncReport()
        var base = replica
        var lacking = Lacking()
        for attempt in 0..<SyncEngine.attemptLimit {
            if attempt > 0 {
                wait(attempt - 1)
            }
            try fetch(into: &base, &lacking, &report)
            // Made anew for each attempt, with the key and the number that are right then.
            var next = base
            var missing = lacking
            try apply(changes, to: &next, &missing)
            let puts = try puts(of: next, missing)
            report.waiting = puts.count
            guard let last = puts.last else {
                replica = next
                break
            }
            let result = try transport.put(puts, rosterCount: UInt64(next.roster.entries.count))
            if result == .stored {
                for put in puts {
                    next.versions[put.id] = put.version + 1
                }
                next.lastRecord = Replica.LastRecord(
                    id: last.id, version: last.version + 1, content: last.content)
                if missing.ownHead {
                    next.set(next.head(of: device))
                }
                replica = next
                report.sent = puts.count
                report.waiting = 0
                break
            }
            // The next exchange compares everything, and gives what waits.
            next.server = .start
            replica = next
        }
        return report
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

    /// The records that the server lacks.
    struct Lacking {
        var items: Set<Identifier> = []
        var heads: Set<Identifier> = []
        var ownHead = false
    }

    private func apply(
        _ changes: [LocalChange], to next: inout Replica, _ lacking: inout Lacking
    ) throws(KeychainError) {
        guard !changes.isEmpty else {
            return
        }
        guard let role = next.roster.devices[device.id]?.role, role != .reader else {
            throw KeychainError(
                .writePermissions, "this device may read the team's items, but not change them",
                hint: "ask an owner of the team for another role")
        }
        var counter = next.seen[device.id]
        for change in changes {
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
            lacking.items.insert(change.record)
            lacking.ownHead = true
        }
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
