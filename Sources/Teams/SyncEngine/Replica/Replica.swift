internal import LanyardCryptography
internal import SQLiteFile
package import LanyardSecrets

/// What a device knows of its team: the roster, the items and the heads of the devices, all checked, and
/// how far the server was.
///
/// The items are in a database: they take no memory.
package final class Replica {
    /// A record of the server, by its digest.
    package struct LastRecord: Hashable {
        let id: Identifier
        let version: UInt64
        let digest: [UInt8]

        init(id: Identifier, version: UInt64, content: [UInt8]) {
            self.id = id
            self.version = version
            digest = KeyedDigest.plain(content.span)
        }

        /// Whether a server has this record still.
        package func isPresent(on server: any SyncTransport) throws(KeychainError) -> Bool {
            try server.record(id).map {
                LastRecord(id: $0.id, version: $0.version, content: $0.content)
            } == self
        }

        package func append(to writer: inout ByteWriter) {
            writer.raw(id.bytes)
            writer.number(version)
            writer.raw(digest)
        }

        package init(reading reader: inout ByteReader) throws(KeychainError) {
            id = try Identifier(reading: &reader)
            version = try reader.number()
            digest = try reader.raw(KeyedDigest.size)
        }
    }

    /// What needs no other look.
    struct Looked: Equatable {
        /// The entries of the server's roster with wrong signatures.
        var forgeries = RosterReading.Forgeries()
        /// The devices that were asked to give the server again what it lacks, with the numbers of their heads then.
        var asked = VersionVector()
    }

    /// What is known beside the items: it grows with the devices.
    struct Summary {
        var roster: Roster
        /// The newest head of each device that made changes.
        var heads: [Identifier: DeviceHead] = [:]
        /// What was looked at, and what of that is stored: it is large, and seldom changes.
        var looked = Looked()
        var storedLooked = Looked()
        /// The devices that ask to be added, by their id.
        var requests: [Identifier: DeviceCard] = [:]
        /// Whether more devices ask.
        var hasMoreRequests = false
        /// How far the server was at the last exchange.
        var server = ServerHead(sequence: 0, rosterCount: 0)
        /// The record that changed last on the server, as far as known: if it is gone, the server went back.
        var lastRecord: LastRecord?
        /// The devices of which something changed since the replica was found complete.
        var unchecked: Set<Identifier> = []
        /// For each device the last of its changes that went into an item.
        var seen = VersionVector()
        /// The number of this device's last change, also of one that does not count.
        var lastNumber: UInt64 = 0
        /// For each device the sum that its head has to have.
        var changes: [Identifier: DigestSum] = [:]
    }

    /// Its rows, beside which others can have their own.
    package let rows: SealedRows
    var summary: Summary

    /// Creates a replica that knows the roster alone.
    ///
    /// - Parameter rows: Those of a database without any.
    package init(_ roster: Roster, in rows: SealedRows) throws(KeychainError) {
        self.rows = rows
        summary = Summary(roster: roster, unchecked: Set(roster.devices.keys))
        try change { () throws(KeychainError) in try write(roster, since: nil) }
    }

    /// Reads a replica.
    ///
    /// - Throws: ``Status/decode`` if it is damaged.
    package init(reading rows: SealedRows) throws(KeychainError) {
        self.rows = rows
        summary = try Summary(reading: rows)
    }

    /// Runs a function that reads all of one moment, as it is then: another program may have changed the replica.
    ///
    /// - Throws: What the function throws; ``Status/databaseLocked`` if another program changes it for too long.
    package func reading<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try rows.database.execute("BEGIN")
        do throws(KeychainError) {
            summary = try Summary(reading: rows)
            let result = try body()
            try rows.database.execute("COMMIT")
            return result
        } catch {
            try? rows.database.execute("ROLLBACK")
            throw error
        }
    }

    /// Runs changes: all are made, or none of them if the function throws. The outermost ones are stored.
    ///
    /// - Parameter keeps: Whether to keep them, from what the function returns.
    /// - Throws: What the function throws; ``Status/databaseLocked`` if another program reads the replica for too
    ///   long.
    package func change<Result>(
        keepingIf keeps: (Result) -> Bool = { _ in true },
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let before = summary
        let isOutermost = !rows.isChanging
        do throws(KeychainError) {
            let result = try rows.change(keepingIf: keeps) { () throws(KeychainError) in
                let result = try body()
                if isOutermost, keeps(result) {
                    try summary.write(to: rows)
                }
                return result
            }
            if !keeps(result) {
                summary = before
            }
            return result
        } catch {
            summary = before
            throw error
        }
    }

    // MARK: Items

    /// Returns an item, nil if there is none.
    package func item(_ record: Identifier) throws(KeychainError) -> SharedItem? {
        try rows.value(.item, record.bytes).map { value throws(KeychainError) in
            try SharedItem(value)
        }
    }

    /// Calls a function with each item. It must not change them.
    package func forEachItem(
        _ body: (_ record: Identifier, _ item: SharedItem) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try rows.forEach(.item) { key, value throws(KeychainError) in
            try body(Identifier(key), SharedItem(value))
        }
    }

    /// Sets an item.
    ///
    /// - Parameter known: What is known of it.
    func set(
        _ item: SharedItem, as record: Identifier, insteadOf known: SharedItem?
    ) throws(KeychainError) {
        try note(item.context, of: record, insteadOf: known)
        var writer = ByteWriter()
        item.append(to: &writer)
        try rows.set(writer.bytes, .item, record.bytes)
    }

    private func note(
        _ context: VersionVector, of record: Identifier, insteadOf known: SharedItem?
    ) throws(KeychainError) {
        let known = known?.context ?? VersionVector()
        context.forEachDifference(from: known) { device, new, old in
            if old > 0 {
                summary.changes[device, default: DigestSum()]
                    .subtract(DeviceHead.digest(record, device, old))
            }
            if new > 0 {
                summary.changes[device, default: DigestSum()]
                    .add(DeviceHead.digest(record, device, new))
            }
            if new > summary.seen[device] {
                summary.seen[device] = new
            }
            summary.unchecked.insert(device)
        }
        try rows.set([], .unread, record.bytes)
    }

    /// Removes changes that their devices made, and did not give the server, before they lost the right to.
    func removeChangesThatDoNotCount() throws(KeychainError) {
        var changed: [Identifier] = []
        var seen = VersionVector()
        try forEachItem { record, item in
            let filtered = item.filtered(roster.allows)
            if filtered != item {
                changed.append(record)
            }
            if let filtered {
                seen.merge(filtered.context)
            }
        }
        for record in changed {
            let known = try item(record)
            if let item = known?.filtered(roster.allows) {
                try set(item, as: record, insteadOf: known)
            } else {
                try note(VersionVector(), of: record, insteadOf: known)
                try rows.remove(.item, record.bytes)
            }
        }
        if !changed.isEmpty {
            summary.seen = seen
        }
    }

    // MARK: The server's versions

    /// Returns the server's version of a record, nil if it is unknown.
    func serverVersion(of record: Identifier) throws(KeychainError) -> UInt64? {
        let statement = try rows.database.prepare(
            "SELECT number FROM server_version WHERE record = ?1", keeps: true)
        try statement.bind(record.bytes, at: 1)
        return try statement.step() ? statement.number(0).map { UInt64(clamping: $0) } : nil
    }

    /// Sets the server's version of a record.
    func setServerVersion(of record: Identifier, to version: UInt64) throws(KeychainError) {
        let statement = try rows.database.prepare(
            "REPLACE INTO server_version VALUES(?1, ?2)", keeps: true)
        try statement.bind(record.bytes, at: 1)
        try statement.bind(Int64(clamping: version), at: 2)
        _ = try statement.step()
    }

    /// Forgets the server's versions of all records.
    func removeServerVersions() throws(KeychainError) {
        try rows.database.execute("DELETE FROM server_version")
    }

    /// Returns the number of records of which the server's version is known.
    func serverVersionCount() throws(KeychainError) -> Int {
        Int(try rows.database.number("SELECT count(*) FROM server_version"))
    }

    // MARK: Devices

    /// The team's devices.
    package var roster: Roster { summary.roster }
    /// The devices that ask to be added, by their id.
    package var requests: [Identifier: DeviceCard] { summary.requests }
    /// Whether more devices ask.
    package var hasMoreRequests: Bool { summary.hasMoreRequests }
    /// How far the server was at the last exchange.
    package var server: ServerHead { summary.server }
    /// From where on to ask what changed. Entries of the roster that were skipped are asked for again: they may have been
    /// shown instead of an owner's. So is the last known one: another one may be in its place.
    var lastRead: ServerHead {
        let known = min(server.rosterCount, UInt64(roster.entries.count))
        return ServerHead(sequence: server.sequence, rosterCount: known > 0 ? known - 1 : 0)
    }
    /// How many entries of the server's roster are not in this one.
    var skippedEntries: Int { Int(clamping: server.rosterCount) - roster.entries.count }

    /// The record that changed last on the server, as far as known.
    package var lastRecord: LastRecord? { summary.lastRecord }
    /// For each device the last of its changes that went into an item.
    package var seen: VersionVector { summary.seen }

    /// Sets the newest head of a device.
    func set(_ head: DeviceHead) throws(KeychainError) {
        guard summary.heads[head.device] != head else {
            return
        }
        summary.heads[head.device] = head
        summary.unchecked.insert(head.device)
        var writer = ByteWriter()
        head.append(to: &writer)
        try rows.set(writer.bytes, .head, head.device.bytes)
    }

    /// Takes the roster over as it is now.
    package func set(_ roster: Roster) throws(KeychainError) {
        try write(roster, since: summary.roster)
        let hasNewLast = roster.devices.contains { id, device in
            device.last != nil && device.last != summary.roster.devices[id]?.last
        }
        summary.roster = roster
        if hasNewLast {
            try removeChangesThatDoNotCount()
        }
        summary.unchecked.formUnion(roster.devices.keys)
        // Devices that an entry added which does not count any more.
        for id in Array(summary.seen.devices) + summary.heads.keys where roster.devices[id] == nil {
            summary.seen[id] = 0
            if summary.heads.removeValue(forKey: id) != nil {
                try rows.remove(.head, id.bytes)
            }
        }
        for (id, device) in roster.devices {
            summary.requests[id] = nil
            // What it claimed beyond that does not count, and no server gets it back.
            if let last = device.last, let head = summary.heads[id], head.counter >= last.counter,
                head.counter > last.counter || head.changes != last.changes
            {
                summary.heads[id] = nil
                try rows.remove(.head, id.bytes)
            }
        }
    }

    private func write(_ roster: Roster, since known: Roster?) throws(KeychainError) {
        try write(roster.entries, since: known?.entries ?? [], 0)
        try write(roster.lost, since: known?.lost ?? [], UInt32(Replica.lostEntryMark) << 24)
    }

    private func write(
        _ entries: [Roster.Checked], since known: [Roster.Checked], _ first: UInt32
    ) throws(KeychainError) {
        for (number, entry) in entries.enumerated()
        where number >= known.count || known[number].digest != entry.digest {
            try rows.set(entry.bytes, .rosterEntry, (first + UInt32(number)).bigEndianBytes)
        }
        for number in entries.count..<max(entries.count, known.count) {
            try rows.remove(.rosterEntry, (first + UInt32(number)).bigEndianBytes)
        }
    }

    /// The first byte of the keys of entries that do not count.
    static let lostEntryMark: UInt8 = 0x80

    /// Whether everything is there that the devices' heads say, or the roster of devices that make no more
    /// changes. Only what changed since it was complete is looked at: what a head knew, stays known.
    func isComplete(for own: Identifier) -> Bool {
        guard incompleteDevices(for: own).isEmpty else {
            return false
        }
        (summary.unchecked, summary.looked.asked) = ([], VersionVector())
        return true
    }

    /// Returns the devices of which something is missing.
    func incompleteDevices(for own: Identifier) -> Set<Identifier> {
        summary.unchecked.filter { roster.devices[$0] != nil && !isComplete($0, for: own) }
    }

    private func isComplete(_ device: Identifier, for own: Identifier) -> Bool {
        if let last = roster.devices[device]?.last {
            // More is known only if a server lost what an owner did not know.
            return seen[device] > last.counter
                || seen[device] == last.counter
                    && summary.changes[device] ?? DigestSum() == last.changes
        }
        guard let head = summary.heads[device] else {
            return seen[device] == 0 || device == own
        }
        let isPending = device == own && seen[device] > head.counter
        return (isPending || agrees(with: head)) && knows(head.seen) && knowsRoster(of: head)
    }

    /// Whether the roster that a head names is, or was, the one known here.
    func knowsRoster(of head: DeviceHead) -> Bool {
        head.rosterCount > 0 && head.rosterCount <= UInt64(roster.entries.count)
            && roster.entries[Int(head.rosterCount) - 1].digest.hasSameBytes(as: head.rosterDigest)
            || roster.isLost(head.rosterDigest)
    }

    /// Returns the head that a device has to have now.
    func head(of device: DeviceIdentity) -> DeviceHead {
        let changes = summary.changes[device.id] ?? DigestSum()
        var counter = seen[device.id]
        if let known = summary.heads[device.id], known.counter >= counter {
            // The known one can be shown again: it must not look as new.
            counter = known.changes == changes ? known.counter : known.counter + 1
        }
        return DeviceHead(
            counter: counter, changes: changes, seen: seen, roster, by: device)
    }

    /// Whether a head says of its device what is known here.
    func agrees(with head: DeviceHead) -> Bool {
        seen[head.device] <= head.counter
            && summary.changes[head.device] ?? DigestSum() == head.changes
    }

    /// Whether everything is known that a vector names, but for changes that don't count, and those of a device.
    func knows(_ other: VersionVector, except own: Identifier? = nil) -> Bool {
        other.devices.allSatisfy { device in
            device == own
                || seen[device]
                    >= roster.devices[device]?.lastCounting(other[device]) ?? other[device]
        }
    }
}
