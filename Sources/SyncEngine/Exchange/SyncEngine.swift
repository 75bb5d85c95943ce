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

    private func key(of roster: Roster) -> TeamKey {
        keys[Int(roster.generation) - 1]
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
                        as: record, team: next.roster.team, under: key(of: next.roster))))
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
        if !isOlder, since != .start, try hasWhatWasThere(next, changes) {
            var (changed, stillLacking, newReport) = (next, lacking, report)
            newReport.findings.remove(.serverIsOlder)
            try takeOver(changes, since: since, into: &changed, &stillLacking, &newReport)
            // What is older in one record, may be in others that are not shown.
            if changed.isComplete(for: device.id), !newReport.findings.contains(.serverIsOlder) {
                newReport.findings.formUnion(report.findings)
                (next, lacking, report) = (changed, stillLacking, newReport)
                return
            }
        }
        // The first exchange, a server that was restored from a backup, or one that lies.
        var all = since == .start ? changes : try transport.changes(since: .start)
        if all.head.rosterCount < UInt64(next.roster.entries.count) {
            all = try restoreRoster(next.roster, all)
        }
        next.versions = [:]
        next.lastRecord = nil
        // What was not given yet, the server can't have.
        let given = given(next)
        let hasPending = next.seen[device.id] > given
        let records = Set(all.records.map(\.id))
        let isLost = next.items.contains { record, item in
            !records.contains(record) && item.hasOther(than: device.id, after: given)
        }
        lacking.items = Set(next.items.keys)
        lacking.heads = Set(next.heads.keys)
        try takeOver(all, since: .start, into: &next, &lacking, &report)
        next.removeVersionsThatDoNotCount()
        lacking.ownHead = hasPending && next.roster.devices[device.id]?.last == nil
        if isOlder || isLost
            || lacking.heads.contains(where: { $0 != device.id || !hasPending })
        {
            report.findings.insert(.serverIsOlder)
        }
        guard next.isComplete(for: device.id), knowsWhatSponsorKnew(next) else {
            throw SyncEngine.incomplete
        }
    }

    private static let incomplete = KeychainError(
        .decode, "the team's server leaves out changes that a device made",
        hint: "don't trust this server: ask the team's other members what they see")

    private static let impossible = KeychainError(
        .decode, "the team's server says of its records what no server can say",
        hint: "don't trust this server: ask the team's other members")

    /// Whether the server still has the record that was its last, and the last head of this device. A server
    /// that came back older may have as many changes as before, but others.
    private func hasWhatWasThere(
        _ next: Replica, _ changes: ServerChanges
    ) throws(KeychainError) -> Bool {
        if let last = next.lastRecord {
            var stored = changes.records.last { $0.id == last.id }
            let isChanged = stored.map { $0.version > last.version } ?? false
            if stored == nil {
                stored = try transport.record(last.id)
            }
            let present = stored.map {
                Replica.LastRecord(id: $0.id, version: $0.version, content: $0.content)
            }
            guard isChanged || present == last else {
                return false
            }
        }
        let record = DeviceHead.record(of: device.id, team: next.roster.team)
        guard let known = next.heads[device.id], changes.head != next.server,
            next.lastRecord?.id != record, !changes.records.contains(where: { $0.id == record })
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
        var attempts = 0
        while head.rosterCount < UInt64(roster.entries.count) {
            let entry = roster.entries[Int(head.rosterCount)]
            _ = try transport.putRoster(entry.bytes, at: head)
            let now = try transport.head()
            // Other devices may write or restore at the same time, but not for ever.
            attempts = now.rosterCount > head.rosterCount ? 0 : attempts + 1
            guard attempts < SyncEngine.attemptLimit else {
                throw SyncEngine.incomplete
            }
            head = now
        }
        let restored = try transport.changes(since: .start)
        guard restored.head.rosterCount >= UInt64(roster.entries.count) else {
            throw SyncEngine.incomplete
        }
        return restored
    }

    private func takeOver(
        _ changes: ServerChanges, since: ServerHead, into next: inout Replica,
        _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        try takeOverRoster(changes, since: since, into: &next)
        for record in changes.records {
            guard record.version > 0, record.version < SyncLimits.number else {
                throw SyncEngine.impossible
            }
            // Even what is forged: the right content replaces it.
            next.versions[record.id] = record.version
            next.lastRecord = Replica.LastRecord(
                id: record.id, version: record.version, content: record.content)
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
        var roster = next.roster
        for (offset, bytes) in changes.roster.enumerated() {
            let position = Int(since.rosterCount) + offset
            if position < roster.entries.count {
                guard roster.entries[position].bytes.hasSameBytes(as: bytes) else {
                    throw KeychainError(
                        .decode, "the team's server shows another roster than before",
                        hint: "don't trust this server: ask the team's other members")
                }
            } else {
                try roster.append(try RosterEntry(bytes))
            }
        }
        guard roster.devices[device.id]?.role != nil else {
            throw KeychainError(
                .missingEntitlement, "this device is not in the team any more",
                hint: "ask an owner of the team; what was here stays readable")
        }
        if keys.count < Int(roster.generation) {
            keys = try roster.keys(of: device)
        }
        if roster.entries.count > next.roster.entries.count {
            next.set(roster)
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
            let known = next.items[record.id]
            var merged = known ?? item
            merged.merge(item)
            guard let merged = merged.filtered(next.roster.allows) else {
                throw KeychainError(.decode)
            }
            let isOlder =
                known.map { item.lacks($0, except: device.id, after: given(next)) } ?? false
            // An older state may have versions that were dropped before their device lost its right.
            let isForged = item.versions.contains { version in
                !next.roster.allows(version)
                    && !(isOlder && known?.context[version.device] ?? 0 >= version.counter)
            }
            if isForged {
                report.findings.insert(.recordIsForged(record.id))
            } else if isOlder {
                report.findings.insert(.serverIsOlder)
            }
            if merged == item {
                lacking.items.remove(record.id)
            } else {
                lacking.items.insert(record.id)
            }
            if merged != known {
                next.set(merged, as: record.id)
                report.received += 1
            }
        case .head(let head):
            guard let author = next.roster.devices[head.device],
                head.isSigned(by: author.card, team: team)
            else {
                throw KeychainError(.decode)
            }
            // It still has its keys: but for older ones, only the head that the roster has counts.
            if let last = author.last, head.counter >= last.counter,
                head.counter > last.counter || head.changes != last.changes
            {
                throw KeychainError(.decode)
            }
            if let last = author.last, head.counter == last.counter {
                next.set(head)
                lacking.heads.remove(head.device)
            } else if let known = next.heads[head.device], known.counter > head.counter {
                report.findings.insert(.serverIsOlder)
                lacking.heads.insert(head.device)
            } else {
                next.set(head)
                lacking.heads.remove(head.device)
            }
        case .request(let card):
            if next.roster.devices[card.id] == nil, next.requests.count < SyncLimits.requests {
                next.requests[card.id] = card
            }
        }
    }

    /// The number of this device's last change that a server got.
    private func given(_ next: Replica) -> UInt64 {
        next.heads[device.id]?.counter ?? 0
    }

    /// Checks that devices of the team made the versions that are new here.
    private func check(
        _ item: SharedItem, of record: Identifier, _ next: Replica
    ) throws(KeychainError) {
        let known = Set(next.items[record]?.versions ?? [])
        for version in item.versions where !known.contains(version) {
            guard let author = next.roster.devices[version.device]?.card,
                version.isSigned(by: author, of: record, team: next.roster.team)
            else {
                throw KeychainError(.decode)
            }
        }
    }

    /// Whether everything is there that this device's sponsor knew of.
    private func knowsWhatSponsorKnew(_ next: Replica) -> Bool {
        next.roster.entries.allSatisfy { entry in
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
            let key = key(of: next.roster)
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
            var last: [Identifier: LastChanges] = [:]
            for device in devices {
                last[device] = next.lastChanges(of: device)
            }
            let renewal = try TeamKeyRenewal(
                try DeviceIdentity.makeSeed(), generation: next.roster.generation + 1,
                previous: key(of: next.roster).key.copy(), to: staying.map(\.card))
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
            return .setRole(id, role, last: role == .reader ? next.lastChanges(of: id) : .none)
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
