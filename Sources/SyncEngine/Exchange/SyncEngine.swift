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
    private let device: DeviceIdentity
    private let transport: any SyncTransport
    private var keys: [TeamKey]
    private let now: () -> Timestamp
    private let wait: (_ attempt: Int) -> Void

    /// How often something is tried while other devices write at the same time.
    private static let attemptLimit = 12

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
    /// - Throws: ``Status/decode`` if the server leaves something out or shows different teams to
    ///   different devices; what the transport throws. The replica then stays as it was.
    package func exchange(_ changes: [LocalChange] = []) throws(KeychainError) -> SyncReport {
        var report = SyncReport()
        var next = replica
        var lacking = Lacking()
        for attempt in 0..<SyncEngine.attemptLimit {
            if attempt > 0 {
                wait(attempt - 1)
            }
            try fetch(into: &next, &lacking, &report)
            if attempt == 0 {
                try apply(changes, to: &next, &lacking)
            }
            let puts = try puts(of: next, lacking)
            report.waiting = puts.count
            guard !puts.isEmpty else {
                break
            }
            let result = try transport.put(puts, rosterCount: UInt64(next.roster.entries.count))
            if result == .stored {
                for put in puts {
                    next.versions[put.id] = put.version + 1
                }
                if lacking.ownHead {
                    next.heads[device.id] = next.head(of: device)
                }
                report.sent = puts.count
                report.waiting = 0
                break
            }
        }
        replica = next
        return report
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
    private struct Lacking {
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
        for change in changes where try !isThere(change, next) {
            counter += 1
            let version = try ItemVersion(
                of: change.record, content: change.content, context: change.context,
                counter: counter, clock: change.clock + 1, date: now(), by: device,
                team: next.roster.team, under: keys[keys.count - 1])
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
            return change.isDeletion
        }
        return change.has(present)
    }

    private func puts(
        of next: Replica, _ lacking: Lacking
    ) throws(KeychainError) -> [RecordPut] {
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
        var puts: [RecordPut] = []
        for (record, content) in contents {
            puts.append(
                RecordPut(
                    id: record, version: next.versions[record] ?? 0,
                    content: try content.seal(
                        as: record, team: next.roster.team, under: keys[keys.count - 1])))
        }
        return puts
    }

    // MARK: What the server says

    /// Takes over what changed on the server, and checks that it is complete. If it is not, everything is
    /// fetched anew, and what the server lost is marked as lacking.
    private func fetch(
        into next: inout Replica, _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        let since = next.server
        let changes = try transport.changes(since: since)
        let isOlder =
            changes.head.sequence < since.sequence || changes.head.rosterCount < since.rosterCount
        if !isOlder {
            var changed = next
            try takeOver(changes, since: since, into: &changed, &lacking, &report)
            if isComplete(changed), try hasOwnHead(changed, changes) {
                next = changed
                return
            }
        }
        // A server that was restored from a backup, or one that lies.
        let start = ServerHead(sequence: 0, rosterCount: 0)
        var all = try transport.changes(since: start)
        if all.head.rosterCount < UInt64(next.roster.entries.count) {
            all = try restoreRoster(next.roster, all)
        }
        next.versions = [:]
        lacking.items = Set(next.items.keys)
        lacking.heads = Set(next.heads.keys)
        let known = next.seen
        try takeOver(all, since: start, into: &next, &lacking, &report)
        if !lacking.items.isEmpty || isOlder || !next.knows(known) {
            report.findings.insert(.serverIsOlder)
        }
        guard isComplete(next) else {
            throw SyncEngine.incomplete
        }
    }

    private static let incomplete = KeychainError(
        .decode, "the team's server leaves out changes that a device made",
        hint: "don't trust this server: ask the team's other members what they see")

    /// Whether the server still has the last head of this device.
    private func hasOwnHead(
        _ next: Replica, _ changes: ServerChanges
    ) throws(KeychainError) -> Bool {
        let record = DeviceHead.record(of: device.id, team: next.roster.team)
        guard let known = next.heads[device.id], changes.head != replica.server,
            !changes.records.contains(where: { $0.id == record })
        else {
            return true
        }
        guard let stored = try transport.record(record),
            case .head(let head) = try? RecordContent(
                stored.content, of: record, team: next.roster.team, under: keys)
        else {
            return false
        }
        return head.counter >= known.counter
    }

    /// Gives a server back the entries of the roster that it lost.
    private func restoreRoster(
        _ roster: Roster, _ all: ServerChanges
    ) throws(KeychainError) -> ServerChanges {
        var head = all.head
        while head.rosterCount < UInt64(roster.entries.count) {
            let entry = roster.entries[Int(head.rosterCount)]
            _ = try transport.putRoster(entry.bytes, at: head)
            let now = try transport.head()
            guard now.rosterCount > head.rosterCount || now.sequence != head.sequence else {
                throw SyncEngine.incomplete
            }
            head = now
        }
        return try transport.changes(since: ServerHead(sequence: 0, rosterCount: 0))
    }

    private func takeOver(
        _ changes: ServerChanges, since: ServerHead, into next: inout Replica,
        _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        try takeOverRoster(changes, since: since, into: &next)
        for record in changes.records {
            // Even what is forged: the right content replaces it.
            next.versions[record.id] = record.version
            do throws(KeychainError) {
                try takeOver(record, into: &next, &lacking, &report)
            } catch  where error.status == .wrongVersion {
                throw error
            } catch {
                report.findings.insert(.recordIsForged(record.id))
                if next.items[record.id] != nil {
                    lacking.items.insert(record.id)
                }
                for device in next.heads.keys
                where DeviceHead.record(of: device, team: next.roster.team) == record.id {
                    lacking.heads.insert(device)
                }
            }
        }
        next.server = changes.head
    }

    private func takeOverRoster(
        _ changes: ServerChanges, since: ServerHead, into next: inout Replica
    ) throws(KeychainError) {
        guard changes.head.rosterCount == since.rosterCount + UInt64(changes.roster.count) else {
            throw SyncEngine.incomplete
        }
        let generation = next.roster.generation
        for (offset, bytes) in changes.roster.enumerated() {
            let position = Int(since.rosterCount) + offset
            if position < next.roster.entries.count {
                guard next.roster.entries[position].bytes.hasSameBytes(as: bytes) else {
                    throw KeychainError(
                        .decode, "the team's server shows another roster than before",
                        hint: "don't trust this server: ask the team's other members")
                }
            } else {
                try next.roster.append(try RosterEntry(bytes))
            }
        }
        guard next.roster.devices[device.id]?.role != nil else {
            throw KeychainError(
                .missingEntitlement, "this device is not in the team any more",
                hint: "ask an owner of the team; what was here stays readable")
        }
        if next.roster.generation != generation || keys.count < Int(generation) {
            keys = try next.roster.keys(of: device)
        }
        for device in next.roster.devices.keys {
            next.requests[device] = nil
        }
    }

    private func takeOver(
        _ record: ServerRecord, into next: inout Replica, _ lacking: inout Lacking,
        _ report: inout SyncReport
    ) throws(KeychainError) {
        let team = next.roster.team
        switch try RecordContent(record.content, of: record.id, team: team, under: keys) {
        case .item(let item):
            try check(item, of: record.id, next)
            var merged = next.items[record.id] ?? item
            merged.merge(item)
            if merged == item {
                lacking.items.remove(record.id)
            } else {
                lacking.items.insert(record.id)
            }
            if merged != next.items[record.id] {
                next.set(merged, as: record.id)
                report.received += 1
            }
        case .head(let head):
            guard let author = next.roster.devices[head.device]?.card,
                head.isSigned(by: author, team: team)
            else {
                throw KeychainError(.decode)
            }
            if let known = next.heads[head.device], known.counter > head.counter {
                report.findings.insert(.serverIsOlder)
                lacking.heads.insert(head.device)
            } else {
                next.heads[head.device] = head
                lacking.heads.remove(head.device)
            }
        case .request(let card):
            if next.roster.devices[card.id] == nil {
                next.requests[card.id] = card
            }
        }
    }

    /// Checks that devices of the team made the versions that are new here, and had the right to.
    private func check(
        _ item: SharedItem, of record: Identifier, _ next: Replica
    ) throws(KeychainError) {
        let known = Set(next.items[record]?.versions ?? [])
        for version in item.versions where !known.contains(version) {
            guard let author = next.roster.devices[version.device]?.card,
                next.roster.allows(version.device, version.counter),
                version.isSigned(by: author, of: record, team: next.roster.team)
            else {
                throw KeychainError(.decode)
            }
        }
    }

    /// Whether everything is there that the devices' heads say, and that this one's sponsor knew of.
    private func isComplete(_ next: Replica) -> Bool {
        for head in next.heads.values {
            let isPending = head.device == device.id && next.seen[device.id] > head.counter
            guard isPending || next.agrees(with: head), next.knows(head.seen),
                head.rosterCount <= UInt64(next.roster.entries.count), head.rosterCount > 0,
                next.roster.entries[Int(head.rosterCount) - 1].digest
                    .hasSameBytes(as: head.rosterDigest)
            else {
                return false
            }
        }
        guard next.seen.devices.allSatisfy({ next.heads[$0] != nil || $0 == device.id }) else {
            return false
        }
        return next.roster.entries.allSatisfy { entry in
            guard case .add(let card, _, _, let seen) = entry.change, card.id == device.id else {
                return true
            }
            return next.knows(seen)
        }
    }

    // MARK: The roster

    /// Adds a device to the team.
    ///
    /// - Throws: ``Status/duplicateItem`` if it is or was in the team; ``Status/writePermissions`` if this device is
    ///   no owner; what ``exchange(_:)`` throws.
    package func add(_ card: DeviceCard, _ role: Role) throws(KeychainError) {
        try change { next throws(KeychainError) in
            guard next.roster.devices[card.id] == nil else {
                throw KeychainError(.duplicateItem, "the device is or was in the team")
            }
            let key = keys[keys.count - 1]
            return .add(
                card, role, key: try TeamKeyRenewal.box(key.key, key.generation, to: card),
                seen: next.seen)
        }
    }

    /// Removes devices from the team, and renews its key; without devices it only renews the key.
    ///
    /// - Throws: ``Status/itemNotFound`` if one is not in the team; ``Status/writePermissions`` if this device is no
    ///   owner; ``Status/param`` if no owner would be left; what ``exchange(_:)`` throws.
    package func remove(_ devices: Set<Identifier>) throws(KeychainError) {
        try change { next throws(KeychainError) in
            let staying = next.roster.present.filter { !devices.contains($0.card.id) }
            guard staying.count + devices.count == next.roster.present.count else {
                throw KeychainError(.itemNotFound, "the device is not in the team")
            }
            guard staying.contains(where: { $0.role == .owner }) else {
                throw KeychainError(.param, "a team has at least one owner")
            }
            var last: [Identifier: UInt64] = [:]
            for device in devices {
                last[device] = next.seen[device]
            }
            let renewal = try TeamKeyRenewal(
                try DeviceIdentity.makeSeed(), generation: next.roster.generation + 1,
                previous: keys[keys.count - 1].key.copy(), to: staying.map(\.card))
            return .remove(last: last, renewal)
        }
    }

    /// Gives a device another role.
    ///
    /// - Throws: ``Status/itemNotFound`` if it is not in the team; ``Status/writePermissions`` if this device is no
    ///   owner; ``Status/param`` if no owner would be left; what ``exchange(_:)`` throws.
    package func setRole(of id: Identifier, to role: Role) throws(KeychainError) {
        try change { next throws(KeychainError) in
            guard next.roster.devices[id]?.role != nil else {
                throw KeychainError(.itemNotFound, "the device is not in the team")
            }
            let owners = next.roster.present.filter { $0.role == .owner }
            guard role == .owner || owners.contains(where: { $0.card.id != id }) else {
                throw KeychainError(.param, "a team has at least one owner")
            }
            return .setRole(id, role, last: next.seen[id])
        }
    }

    /// Adds an entry to the roster, which is stored only if the server has no change that is unknown here.
    private func change(
        _ make: (Replica) throws(KeychainError) -> RosterEntry.Change
    ) throws(KeychainError) {
        for attempt in 0..<SyncEngine.attemptLimit {
            if attempt > 0 {
                wait(attempt - 1)
            }
            _ = try exchange()
            guard replica.roster.devices[device.id]?.role == .owner else {
                throw KeychainError(
                    .writePermissions, "only an owner of the team changes its members",
                    hint: "ask an owner of the team")
            }
            let entry = replica.roster.entry(try make(replica), by: device, date: now())
            // What this device would refuse, no other one may get.
            var next = replica.roster
            try next.append(entry)
            if try transport.putRoster(entry.bytes, at: replica.server) == .stored {
                _ = try exchange()
                return
            }
        }
        throw KeychainError(
            .notAvailable, "other devices keep changing the team's items",
            hint: "try again in a minute")
    }
}
