internal import LinuxSystem
internal import Secrets

// What the server says is taken over into a replica only after it was checked.
extension SyncEngine {
    /// Takes over what changed on the server, and checks that it is complete. If it is not, everything is
    /// fetched anew, and what the server lost is marked as lacking.
    func fetch(
        into next: inout Replica, _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        let since = next.server
        let changes = try transport.changes(since: since)
        let isOlder =
            changes.head.sequence < since.sequence || changes.head.rosterCount < since.rosterCount
        // Requests for which there was no room are seen again among everything.
        let hasNewRoom = next.hasMoreRequests && next.requests.count < SyncLimits.requests
        if !isOlder, since != .start, !hasNewRoom, try hasWhatWasThere(next, changes) {
            var (changed, stillLacking, newReport) = (next, lacking, report)
            newReport.findings.remove(.serverIsOlder)
            try takeOverAll(changes, since: since, into: &changed, &stillLacking, &newReport)
            // What is older in one record, may be in others that are not shown.
            if changed.isComplete(for: device.id), !newReport.findings.contains(.serverIsOlder) {
                newReport.findings.formUnion(report.findings)
                (next, lacking, report) = (changed, stillLacking, newReport)
                return
            }
        }
        // The first exchange, new room for requests, a server that was restored from a backup, or one that lies.
        var all = since == .start ? changes : try transport.changes(since: .start)
        if all.head.rosterCount < UInt64(next.roster.entries.count) {
            all = try restoreRoster(next.roster, all)
        }
        let isFirst = next.items.isEmpty && next.heads.isEmpty
        next.versions = [:]
        next.lastRecord = nil
        next.hasMoreRequests = false
        // What was not given yet, the server can't have.
        let given = given(next)
        let hasPending = next.seen[device.id] > given
        lacking.items = Set(next.items.keys)
        lacking.heads = Set(next.heads.keys)
        try takeOverAll(all, since: .start, into: &next, &lacking, &report)
        let isLost = next.items.contains { record, item in
            next.versions[record] == nil && item.hasOther(than: device.id, after: given)
        }
        next.removeVersionsThatDoNotCount()
        lacking.items = lacking.items.filter { next.items[$0] != nil }
        lacking.ownHead = hasPending && next.roster.devices[device.id]?.last == nil
        if isOlder || isLost
            || lacking.heads.contains(where: { $0 != device.id || !hasPending })
        {
            report.findings.insert(.serverIsOlder)
        }
        try noteMissing(next, isFirst: isFirst, &lacking, &report)
    }

    /// Notes the present devices whose heads name changes that are nowhere to be found. They don't stop the
    /// exchange: a device that lies would stop it for everybody. But a device that joins knows too little to go
    /// on without them, and what the roster or the sponsor says has to be there.
    private func noteMissing(
        _ next: Replica, isFirst: Bool, _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        guard try knowsWhatSponsorKnew(next) else {
            throw SyncEngine.incomplete
        }
        let missing = next.incompleteDevices(for: device.id)
        let claimants = missing.compactMap { next.roster.devices[$0] }.filter { $0.last == nil }
        guard !isFirst || claimants.isEmpty else {
            throw SyncEngine.missing(claimants.map(\.card))
        }
        for id in missing {
            // An owner that knows another roster can be believed: it could stop the team in any case.
            guard let claimant = next.roster.devices[id], claimant.last == nil,
                claimant.role != .owner || next.heads[id].map(next.knowsRoster(of:)) ?? true
            else {
                throw SyncEngine.incomplete
            }
            report.findings.insert(.changesAreMissing(claimant.card))
            // After a crash and a restored server its numbers may be of other changes than before.
            if id == device.id, let head = next.heads[id], head.counter == next.seen[id],
                !next.agrees(with: head)
            {
                lacking.ownHead = true
            }
        }
    }

    static func missing(_ devices: [DeviceCard]) -> KeychainError {
        let names = devices.map { "'\($0.name)' of \($0.person)" }.sorted()
        return KeychainError(
            .decode,
            "the team's server lacks changes of which \(names.joined(separator: " and ")) told",
            hint:
                "run there: lanyard team sync; if that does not help and the server can be trusted, an owner "
                + "removes the device: lanyard team remove")
    }

    private static let incomplete = KeychainError(
        .decode, "the team's server leaves out changes that a device made",
        hint: "don't trust this server: ask the team's other members what they see")

    private static let endless = KeychainError(
        .notAvailable, "the team's server did not show all changes within 30 minutes",
        hint: "try again with a faster connection; if that does not help, don't trust this server")

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
            var isChanged = stored.map { $0.version > last.version } ?? false
            if stored == nil {
                stored = try transport.record(last.id)
                // Then it is in a later piece.
                isChanged = changes.hasMore && stored.map { $0.version > last.version } ?? false
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

    /// Takes over changes, and the pieces that follow them.
    private func takeOverAll(
        _ first: ServerChanges, since start: ServerHead, into next: inout Replica,
        _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        let deadline = Deadline(milliseconds: timeLimit)
        var (changes, since) = (first, start)
        for _ in 0..<SyncLimits.pieces {
            guard changes.head.sequence >= since.sequence else {
                throw SyncEngine.incomplete
            }
            try takeOver(changes, since: since, into: &next, &lacking, &report)
            guard changes.hasMore else {
                return
            }
            guard changes.head.sequence > since.sequence, !changes.records.isEmpty else {
                throw SyncEngine.impossible
            }
            guard !deadline.hasPassed else {
                throw SyncEngine.endless
            }
            since = changes.head
            changes = try transport.changes(since: since)
        }
        throw SyncEngine.impossible
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
            next.lastRecord = Replica.LastRecord(
                id: record.id, version: record.version, content: record.content)
            do throws(KeychainError) {
                try takeOver(record, into: &next, &lacking, &report)
            } catch  where error.status == .wrongVersion {
                throw error
            } catch {
                noteForgery(of: record, in: &next, &lacking, &report)
            }
        }
        next.server = changes.head
    }

    /// Notes a record without a right content, which the right one replaces.
    private func noteForgery(
        of record: ServerRecord, in next: inout Replica, _ lacking: inout Lacking,
        _ report: inout SyncReport
    ) {
        let head = next.roster.devices.keys.first {
            DeviceHead.record(of: $0, team: next.roster.team) == record.id
        }
        let isKnown = next.items[record.id] != nil || head != nil
        // A hostile server can make any number of others.
        if isKnown || next.versions.count < next.items.count + SyncLimits.forgeries {
            next.versions[record.id] = record.version
        }
        if isKnown || report.findings.count < SyncLimits.forgeries {
            report.findings.insert(.recordIsForged(record.id))
        }
        if next.items[record.id] != nil {
            lacking.items.insert(record.id)
        }
        if let head, next.heads[head] != nil {
            lacking.heads.insert(head)
        }
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
        guard roster.devices[device.id]?.role != nil, !roster.leaving.contains(device.id) else {
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
            try takeOver(item, as: record.id, into: &next, &lacking, &report)
            next.versions[record.id] = record.version
        case .head(let head):
            try takeOver(head, into: &next, &lacking, &report)
            next.versions[record.id] = record.version
        // A request needs no version here: `requestToJoin` asks the server for it.
        case .request(let card):
            guard next.roster.devices[card.id] == nil, next.requests[card.id] == nil else {
                break
            }
            if next.requests.count < SyncLimits.requests {
                next.requests[card.id] = card
            } else {
                next.hasMoreRequests = true
            }
        case .withdrawal(let device): next.requests[device] = nil
        }
    }

    private func takeOver(
        _ item: SharedItem, as record: Identifier, into next: inout Replica,
        _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        try check(item, of: record, next)
        let known = next.items[record]
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
            report.findings.insert(.recordIsForged(record))
        } else if isOlder {
            report.findings.insert(.serverIsOlder)
        }
        if merged == item {
            lacking.items.remove(record)
        } else {
            lacking.items.insert(record)
        }
        if merged != known {
            next.set(merged, as: record)
            report.received += 1
        }
    }

    private func takeOver(
        _ head: DeviceHead, into next: inout Replica, _ lacking: inout Lacking,
        _ report: inout SyncReport
    ) throws(KeychainError) {
        guard let author = next.roster.devices[head.device],
            head.isSigned(by: author.card, team: next.roster.team)
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
    }

    /// The number of this device's last change that a server got.
    func given(_ next: Replica) -> UInt64 {
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
    private func knowsWhatSponsorKnew(_ next: Replica) throws(KeychainError) -> Bool {
        next.knows(try next.roster.seenBySponsor(of: device.id))
    }
}
