internal import LinuxSystem
internal import Secrets

// What the server says is taken over into a replica only after it was checked.
extension SyncEngine {
    /// Takes over what changed on the server, and checks that it is complete. If it is not, everything is
    /// fetched anew, and what the server lost is marked as lacking.
    func fetch(_ lacking: inout Lacking, _ report: inout SyncReport) throws(KeychainError) {
        let since = replica.server
        let changes = try transport.changes(since: since)
        let isOlder =
            changes.head.sequence < since.sequence || changes.head.rosterCount < since.rosterCount
        // Requests for which there was no room are seen again among everything.
        let hasNewRoom =
            replica.hasMoreRequests && replica.requests.count < SyncLimits.requests
        if !isOlder, since != .start, !hasNewRoom, try hasWhatWasThere(changes) {
            var (stillLacking, newReport) = (lacking, report)
            newReport.findings.remove(.serverIsOlder)
            let isComplete = try replica.change(keepingIf: { $0 }) { () throws(KeychainError) in
                try takeOverAll(changes, since: since, &stillLacking, &newReport)
                // What is older in one record, may be in others that are not shown.
                return replica.isComplete(for: device.id)
                    && !newReport.findings.contains(.serverIsOlder)
            }
            if isComplete {
                newReport.findings.formUnion(report.findings)
                (lacking, report) = (stillLacking, newReport)
                return
            }
        }
        // The first exchange, new room for requests, a server that was restored from a backup, or one that lies.
        var all = since == .start ? changes : try transport.changes(since: .start)
        if all.head.rosterCount < UInt64(replica.roster.entries.count) {
            all = try restoreRoster(replica.roster, all)
        }
        try takeOverAnew(all, isOlder: isOlder, &lacking, &report)
    }

    private func takeOverAnew(
        _ all: ServerChanges, isOlder: Bool, _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        let isFirst = try replica.rows.count(.item) == 0 && replica.summary.heads.isEmpty
        try replica.removeServerVersions()
        replica.summary.lastRecord = nil
        replica.summary.hasMoreRequests = false
        // What was not given yet, the server can't have.
        let given = given
        let hasPending = counter > given
        try lacking.items.insertAllItems()
        lacking.heads = Set(replica.summary.heads.keys)
        try takeOverAll(all, since: .start, &lacking, &report)
        var isLost = false
        try lacking.items.forEach { key throws(KeychainError) in
            let record = try Identifier(key)
            if try replica.serverVersion(of: record) == nil, let item = try replica.item(record) {
                isLost = item.hasOther(than: device.id, after: given)
            }
            return !isLost
        }
        try replica.removeVersionsThatDoNotCount()
        lacking.ownHead = hasPending && replica.roster.devices[device.id]?.last == nil
        if isOlder || isLost
            || lacking.heads.contains(where: { $0 != device.id || !hasPending })
        {
            report.findings.insert(.serverIsOlder)
        }
        try noteMissing(isFirst: isFirst, &lacking, &report)
    }

    /// Notes the present devices whose heads name changes that are nowhere to be found. They don't stop the
    /// exchange: a device that lies would stop it for everybody. But a device that joins knows too little to go
    /// on without them, and what the roster or the sponsor says has to be there.
    private func noteMissing(
        isFirst: Bool, _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        guard try knowsWhatSponsorKnew() else {
            throw SyncEngine.incomplete
        }
        let missing = replica.incompleteDevices(for: device.id)
        let claimants = missing.compactMap { replica.roster.devices[$0] }.filter { $0.last == nil }
        guard !isFirst || claimants.isEmpty else {
            throw SyncEngine.missing(claimants.map(\.card))
        }
        for id in missing {
            // An owner that knows another roster can be believed: it could stop the team in any case.
            guard let claimant = replica.roster.devices[id], claimant.last == nil,
                claimant.role != .owner
                    || replica.summary.heads[id].map(replica.knowsRoster(of:)) ?? true
            else {
                throw SyncEngine.incomplete
            }
            report.findings.insert(.changesAreMissing(claimant.card))
            // After a crash and a restored server its numbers may be of other changes than before.
            if id == device.id, let head = replica.summary.heads[id],
                head.counter == replica.seen[id],
                !replica.agrees(with: head)
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
        _ changes: ServerChanges
    ) throws(KeychainError) -> Bool {
        if let last = replica.summary.lastRecord {
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
        let record = DeviceHead.record(of: device.id, team: replica.roster.team)
        guard let known = replica.summary.heads[device.id], changes.head != replica.summary.server,
            replica.summary.lastRecord?.id != record,
            !changes.records.contains(where: { $0.id == record })
        else {
            return true
        }
        guard let stored = try transport.record(record),
            case .head(let head) = try? RecordContent(
                stored.content, of: record, team: replica.roster.team, under: keys)
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
        _ first: ServerChanges, since start: ServerHead,
        _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        let deadline = Deadline(milliseconds: timeLimit)
        var (changes, since) = (first, start)
        for _ in 0..<SyncLimits.pieces {
            guard changes.head.sequence >= since.sequence else {
                throw SyncEngine.incomplete
            }
            try takeOver(changes, since: since, &lacking, &report)
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
        _ changes: ServerChanges, since: ServerHead,
        _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        try takeOverRoster(changes, since: since)
        var room =
            try replica.rows.count(.item) + SyncLimits.forgeries - replica.serverVersionCount()
        for record in changes.records {
            guard record.version > 0, record.version < SyncLimits.number else {
                throw SyncEngine.impossible
            }
            replica.summary.lastRecord = Replica.LastRecord(
                id: record.id, version: record.version, content: record.content)
            do throws(KeychainError) {
                try takeOver(record, &lacking, &report)
            } catch {
                guard error.status == .decode else {
                    throw error
                }
                try noteForgery(of: record, room: &room, &lacking, &report)
            }
        }
        replica.summary.server = changes.head
    }

    /// Notes a record without a right content, which the right one replaces.
    private func noteForgery(
        of record: ServerRecord, room: inout Int, _ lacking: inout Lacking,
        _ report: inout SyncReport
    ) throws(KeychainError) {
        let head = replica.roster.devices.keys.first {
            DeviceHead.record(of: $0, team: replica.roster.team) == record.id
        }
        let isItem = try replica.item(record.id) != nil
        let isKnown = isItem || head != nil
        // A hostile server can make any number of others.
        if isKnown || room > 0 {
            try replica.setServerVersion(of: record.id, to: record.version)
            room -= isKnown ? 0 : 1
        }
        if isKnown || report.findings.count < SyncLimits.forgeries {
            report.findings.insert(.recordIsForged(record.id))
        }
        if isItem {
            try lacking.items.insert(record.id.bytes)
        }
        if let head, replica.summary.heads[head] != nil {
            lacking.heads.insert(head)
        }
    }

    private func takeOverRoster(
        _ changes: ServerChanges, since: ServerHead
    ) throws(KeychainError) {
        guard changes.head.rosterCount == since.rosterCount + UInt64(changes.roster.count) else {
            throw SyncEngine.incomplete
        }
        var roster = replica.roster
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
        if roster.entries.count > replica.roster.entries.count {
            try replica.set(roster)
        }
    }

    private func takeOver(
        _ record: ServerRecord, _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        let team = replica.roster.team
        switch try RecordContent(record.content, of: record.id, team: team, under: keys) {
        case .item(let item):
            try takeOver(item, as: record.id, &lacking, &report)
            try replica.setServerVersion(of: record.id, to: record.version)
        case .head(let head):
            try takeOver(head, &lacking, &report)
            try replica.setServerVersion(of: record.id, to: record.version)
        // A request needs no version here: `requestToJoin` asks the server for it.
        case .request(let card):
            guard replica.roster.devices[card.id] == nil, replica.summary.requests[card.id] == nil
            else {
                break
            }
            if replica.summary.requests.count < SyncLimits.requests {
                replica.summary.requests[card.id] = card
            } else {
                replica.summary.hasMoreRequests = true
            }
        case .withdrawal(let device): replica.summary.requests[device] = nil
        }
    }

    private func takeOver(
        _ item: SharedItem, as record: Identifier,
        _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        let known = try replica.item(record)
        try check(item, of: record, known)
        var merged = known ?? item
        merged.merge(item)
        guard let merged = merged.filtered(replica.roster.allows),
            merged.size <= SyncLimits.itemSize
        else {
            throw KeychainError(.decode)
        }
        let isOlder =
            known.map { item.lacks($0, except: device.id, after: given) } ?? false
        // An older state may have versions that were dropped before their device lost its right.
        let isForged = item.versions.contains { version in
            !replica.roster.allows(version)
                && !(isOlder && known?.context[version.device] ?? 0 >= version.counter)
        }
        if isForged {
            report.findings.insert(.recordIsForged(record))
        } else if isOlder {
            report.findings.insert(.serverIsOlder)
        }
        if merged == item {
            try lacking.items.remove(record.bytes)
        } else {
            try lacking.items.insert(record.bytes)
        }
        if merged != known {
            try replica.set(merged, as: record, insteadOf: known)
            report.received += 1
        }
    }

    private func takeOver(
        _ head: DeviceHead, _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        guard let author = replica.roster.devices[head.device],
            head.isSigned(by: author.card, team: replica.roster.team)
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
            try replica.set(head)
            lacking.heads.remove(head.device)
        } else if let known = replica.summary.heads[head.device], known.counter > head.counter {
            report.findings.insert(.serverIsOlder)
            lacking.heads.insert(head.device)
        } else {
            try replica.set(head)
            lacking.heads.remove(head.device)
        }
    }

    /// The number of this device's last change that a server got.
    var given: UInt64 { replica.summary.heads[device.id]?.counter ?? 0 }

    /// Checks that devices of the team made the versions that are new here.
    private func check(
        _ item: SharedItem, of record: Identifier, _ known: SharedItem?
    ) throws(KeychainError) {
        let known = Set(known?.versions ?? [])
        for version in item.versions where !known.contains(version) {
            guard let author = replica.roster.devices[version.device]?.card,
                version.isSigned(by: author, of: record, team: replica.roster.team)
            else {
                throw KeychainError(.decode)
            }
        }
    }

    /// Whether everything is there that this device's sponsor knew of.
    private func knowsWhatSponsorKnew() throws(KeychainError) -> Bool {
        replica.knows(try replica.roster.seenBySponsor(of: device.id))
    }
}
