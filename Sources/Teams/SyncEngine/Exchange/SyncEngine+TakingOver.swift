internal import LinuxSystem
internal import LanyardSecrets

// Takes over single pieces of what the server says, each checked.
extension SyncEngine {
    /// Takes over changes, and the pieces that follow them.
    func takeOverAll(
        _ first: ServerChanges, since start: ServerHead,
        _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        let deadline = Deadline(milliseconds: timeLimit)
        var (changes, since) = (first, start)
        let last = first.hasMore ? try transport.head().sequence : first.head.sequence
        for _ in 0..<SyncLimits.pieces {
            guard changes.head.sequence >= since.sequence else {
                throw SyncEngine.incomplete
            }
            try takeOver(changes, since: since, &lacking, &report)
            if last > start.sequence, changes.head.sequence <= last {
                progress(
                    .receiving, Int(clamping: changes.head.sequence - start.sequence),
                    Int(clamping: last - start.sequence))
            }
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
        try takeOverRoster(changes, since: since, &report)
        var room =
            try replica.rows.count(.item) + SyncLimits.forgeries - replica.serverVersionCount()
        for record in changes.records {
            replica.summary.lastRecord = Replica.LastRecord(
                id: record.id, version: record.version, content: record.content)
            do throws(KeychainError) {
                guard SyncLimits.isVersion(record.version) else {
                    throw KeychainError(.decode)
                }
                try takeOver(record, &lacking, &report)
            } catch {
                guard error.status == .decode else {
                    throw error
                }
                guard !lacksKey(of: record) else {
                    try noteHidden(record, &lacking)
                    continue
                }
                // The entry that made a later key may be hidden behind another one.
                seesOnlyPart = seesOnlyPart || record.generation > replica.roster.generation
                try noteForgery(of: record, room: &room, &lacking, &report)
            }
        }
        replica.summary.server = changes.head
    }

    /// Takes over new entries of the roster.
    func takeOverRoster(
        _ changes: ServerChanges, since: ServerHead, _ report: inout SyncReport
    ) throws(KeychainError) {
        var reading = RosterReading(
            replica.roster, after: since.rosterCount, replica.summary.looked.forgeries)
        let roster = try roster(of: changes, since: since, &reading)
        replica.summary.looked.forgeries = reading.forgeries
        for device in reading.overruled {
            if let card = (roster.devices[device] ?? replica.roster.devices[device])?.card {
                report.findings.insert(.changeOfMembersIsOverruled(card))
            }
        }
        // What this device signed itself is no lie.
        guard !reading.unexplained.contains(device.id) else {
            throw RosterReading.another
        }
        for device in reading.unexplained {
            if let card = roster.devices[device]?.card {
                report.findings.insert(.changeOfMembersIsUnexplained(card))
            }
        }
        // Of the known ones it was said when they came.
        if reading.skipped > max(0, replica.skippedEntries - reading.repeated) {
            report.findings.insert(.rosterHasForgedEntries)
        }
        if reading.isFlooded {
            report.findings.insert(.rosterIsFlooded)
        }
        guard roster.devices[device.id]?.role != nil, !roster.leaving.contains(device.id) else {
            throw KeychainError(
                .missingEntitlement, "this device is not in the team any more",
                hint: "ask an owner of the team; what was here stays readable")
        }
        // Whoever is removed for it, may not be the only one.
        guard reading.later.isEmpty || !reading.later.isDisjoint(with: removing) else {
            throw roster.newer(by: reading.later)
        }
        try setKeys(of: roster, &report)
        let known = replica.roster
        if roster.lastDigest != known.lastDigest || roster.lost.count != known.lost.count {
            try setRoster(roster, &report)
        }
    }

    /// Takes a roster over, and notes who lost changes with it that were known here.
    private func setRoster(_ roster: Roster, _ report: inout SyncReport) throws(KeychainError) {
        let before = replica.summary.changes
        // What this device did not give yet, no owner can know.
        let hasPending = replica.seen[device.id] > given
        try replica.set(roster)
        for (id, changes) in before where replica.summary.changes[id] != changes {
            if id != device.id || !hasPending, let other = roster.devices[id],
                let author = other.lastAuthor.flatMap({ roster.devices[$0]?.card })
            {
                report.findings.insert(.changesAreDropped(other.card, by: author))
            }
        }
    }

    /// Returns the roster that changes make.
    private func roster(
        of changes: ServerChanges, since: ServerHead, _ reading: inout RosterReading
    ) throws(KeychainError) -> Roster {
        do throws(KeychainError) {
            try transport.read(changes, since: since, &reading)
            let (roster, lacking) = try reading.finish()
            guard lacking.isEmpty else {
                throw SyncEngine.incomplete
            }
            return roster
        } catch {
            guard since.rosterCount > 0, error.status == .decode else {
                seesOnlyPart = true
                throw error
            }
            // Earlier entries may explain the new ones.
            reading = RosterReading(replica.roster, reading.forgeries)
            let start = ServerHead.afterRecords(0)
            return try roster(of: try transport.changes(since: start), since: start, &reading)
        }
    }

    private func takeOver(
        _ record: ServerRecord, _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        let team = replica.roster.team
        switch try RecordContent(record.content, of: record.id, team: team, under: keys) {
        case .item(let item):
            try takeOver(item, as: record.id, &lacking, &report)
            if !isReadableForAll(record) {
                try lacking.items.insert(record.id.bytes)
            }
            try replica.setServerVersion(of: record.id, to: record.version)
        case .head(let head):
            // Who lacks something gives the head again that names it.
            if let version = try replica.serverVersion(of: record.id), version < record.version,
                replica.summary.heads[head.device] == head,
                head.device == device.id || replica.roster.devices[head.device]?.role == nil
            {
                seesOnlyPart = true
            }
            try takeOver(head, &lacking, &report)
            if !isReadableForAll(record) {
                lacking.headsAgain.insert(head.device)
            }
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
        case .withdrawal(let device):
            replica.summary.requests[device] = nil
        }
    }

    /// Whether a device that joins has the key of a record.
    private func isReadableForAll(_ record: ServerRecord) -> Bool {
        let shared = sharedKeys
        return shared.count == keys.count
            || (try? RecordContent(
                record.content, of: record.id, team: replica.roster.team, under: shared)) != nil
    }

    private func takeOver(
        _ item: SharedItem, as record: Identifier,
        _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        let known = try replica.item(record)
        try check(item, of: record, known)
        let allowed = item.filtered(replica.roster.allows)
        let setAside =
            try allowed.map { item throws(KeychainError) in try contradictions(in: item, known) }
            ?? []
        let believed = allowed?.filtered { !setAside.contains($1) }
        guard let believed = believed ?? known?.filtered(replica.roster.allows) else {
            throw KeychainError(.decode)
        }
        var merged = believed
        if let known = known?.filtered(replica.roster.allows) {
            merged.merge(known)
        }
        merged = merged.withoutOlder(namesOverruled)
        let isOlder =
            known.map { item.lacks($0, except: device.id, after: given) } ?? false
        // An older state may have versions that were dropped before their device lost its right.
        let isForged = item.versions.contains { version in
            !replica.roster.allows(version.device, version.tag)
                && !(isOlder && known?.context[version.device] ?? 0 >= version.counter
                    && !(known?.hasOther(numbered: version.number, than: version.tag) ?? false))
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
        for id in merged.devicesThatUsedNumbersTwice
            .subtracting(known?.devicesThatUsedNumbersTwice ?? [])
        {
            if let author = replica.roster.devices[id], author.role != nil {
                report.findings.insert(.numberIsUsedTwice(author.card))
            }
        }
        if merged != known {
            try replica.set(merged, as: record, insteadOf: known)
            report.received += 1
        }
        if unreadableVersion(of: merged, record) != nil {
            unreadable.insert(record)
        }
    }

    private func takeOver(
        _ head: DeviceHead, _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        guard replica.roster.isRight(head), let author = replica.roster.devices[head.device] else {
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
            if replica.summary.heads[head.device] != head {
                report.heard.insert(head.device)
            }
            try replica.set(head)
            lacking.heads.remove(head.device)
        }
    }

    /// The number of this device's last change that a server got.
    var given: UInt64 { replica.summary.heads[device.id]?.counter ?? 0 }

    /// Checks that devices of the team made the changes that are new here.
    private func check(
        _ item: SharedItem, of record: Identifier, _ known: SharedItem?
    ) throws(KeychainError) {
        let versions = Set(known?.versions ?? [])
        let dropped = Set(known?.dropped ?? [])
        let changes =
            item.versions.filter { !versions.contains($0) }.map { $0.change }
            + item.dropped.filter { !dropped.contains($0) }
        for change in changes {
            guard let author = replica.roster.devices[change.device]?.card,
                change.isSigned(by: author, of: record, team: replica.roster.team)
            else {
                throw KeychainError(.decode)
            }
        }
        // Else an older version could be shown instead of a device's last one, as if that one was dropped.
        guard item.dropped.allSatisfy({ dropped.contains($0) || item.explainsDropping($0) }) else {
            throw KeychainError(.decode)
        }
    }

    /// Returns the tags of the new versions of an item that are larger than one can be, or name changes of other devices
    /// which these did not sign.
    private func contradictions(
        in item: SharedItem, _ known: SharedItem?
    ) throws(KeychainError) -> Set<Identifier> {
        guard item != known else {
            return []
        }
        let versions = Set(known?.versions ?? [])
        var proven = item.context
        proven.merge(known?.context ?? VersionVector())
        var found: Set<Identifier> = []
        for version in item.versions where !versions.contains(version) {
            let other =
                version.size > SyncLimits.versionSize
                ? version.device : try deviceNamedTooEarly(by: version, proven)
            if let other {
                found.insert(version.tag)
                contradicting[version.device, default: []].insert(other)
            }
        }
        return found
    }

    /// Returns a device of which a version names changes that are neither in the item nor in that device's head, nil if
    /// there is none.
    private func deviceNamedTooEarly(
        by version: ItemVersion, _ proven: VersionVector
    ) throws(KeychainError) -> Identifier? {
        // What a removed device made, an owner judged who knew more then: who joins later has to get the same.
        guard !proven.covers(version.context),
            replica.roster.devices[version.device]?.last == nil
        else {
            return nil
        }
        for other in version.context.devices
        where version.context[other] > proven[other] && other != version.device {
            // Changes may be named that do not count any more.
            if version.context[other] > replica.roster.devices[other]?.lostBelow ?? 0,
                !replica.roster.isOverruled(other),
                try lastNumber(of: other, atLeast: version.context[other])
                    < version.context[other]
            {
                return other
            }
        }
        return nil
    }

    /// Returns the number of a device's last change: that which the roster names, or its head as known here or, if that is
    /// less than asked for, as the server has it.
    private func lastNumber(
        of device: Identifier, atLeast counter: UInt64
    ) throws(KeychainError) -> UInt64 {
        if let last = replica.roster.devices[device]?.last {
            return last.counter
        }
        let known = replica.summary.heads[device]?.counter ?? 0
        // Of a device that never was, there is no head: a version can name any number of them.
        guard known < counter, replica.roster.devices[device] != nil,
            askedHeads.insert(device).inserted
        else {
            return known
        }
        guard let head = try storedHead(of: device), head.counter > known else {
            return known
        }
        // Who lies may replace it before it is shown: the others could not find then what was believed here.
        try replica.set(head)
        return head.counter
    }

    static let endless = KeychainError(
        .notAvailable, "the team's server did not show all changes within 30 minutes",
        hint: "try again with a faster connection; if that does not help, don't trust this server")

    private static let impossible = KeychainError(
        .decode, "the team's server says of its records what no server can say",
        hint: "don't trust this server: ask the team's other members")
}
