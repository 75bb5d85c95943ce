internal import LanyardSecrets

// What the server says is taken over into a replica only after it was checked.
extension SyncEngine {
    /// Takes over what changed on the server, and checks that it is complete. If it is not, everything is
    /// fetched anew, and what the server lost is marked as lacking.
    func fetch(_ lacking: inout Lacking, _ report: inout SyncReport) throws(KeychainError) {
        (askedHeads, headsBefore, contradicting) = ([], [:], [:])
        (lacking.hiddenItems, lacking.hidesHeads) = ([], false)
        seesOnlyPart = false
        let roster = replica.roster
        let (known, since) = (replica.server, replica.lastRead)
        let changes = try transport.changes(since: since)
        let isOlder =
            changes.head.sequence < known.sequence || changes.head.rosterCount < known.rosterCount
        // Requests for which there was no room are seen again among everything.
        let hasNewRoom =
            replica.hasMoreRequests && replica.requests.count < SyncLimits.requests
        if !isOlder, since != .start, !hasNewRoom, try hasWhatWasThere(changes) {
            var (stillLacking, newReport) = (lacking, report)
            newReport.findings.remove(.serverIsOlder)
            let isComplete: Bool
            do throws(KeychainError) {
                isComplete = try replica.change(keepingIf: { $0 }) { () throws(KeychainError) in
                    try takeOverAll(changes, since: since, &stillLacking, &newReport)
                    // What is older in one record, may be in others that are not shown.
                    return replica.isComplete(for: device.id) && !seesOnlyPart
                        && replica.roster.begins(with: roster)
                        && !newReport.findings.contains(.serverIsOlder)
                }
            } catch  where seesOnlyPart && error.status == .decode {
                isComplete = false
            }
            if isComplete {
                newReport.findings.formUnion(report.findings)
                (lacking, report) = (stillLacking, newReport)
                noteContradictions(&report)
                return
            }
        }
        // The first exchange, new room for requests, a server that was restored from a backup, or one that lies.
        var all = since == .start ? changes : try transport.changes(since: .start)
        all = try restoringRoster(replica.roster, all)
        try takeOverAnew(all, isOlder: isOlder, &lacking, &report)
    }

    private func takeOverAnew(
        _ all: ServerChanges, isOlder: Bool, _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        // The heads that the server was asked for may be undone by now.
        askedHeads = []
        let roster = replica.roster
        // Whoever created the team, or ended an exchange, goes on whatever others say.
        let hasItems = try replica.rows.count(.item) > 0
        let isFirst =
            replica.server == .start && !hasItems && replica.summary.heads.isEmpty
            && replica.roster.devices[device.id]?.position != 0
        for (id, device) in replica.roster.devices where device.role == nil {
            let record = DeviceHead.record(of: id, team: replica.roster.team)
            headsBefore[record] = try replica.serverVersion(of: record)
        }
        try replica.removeServerVersions()
        replica.summary.lastRecord = nil
        replica.summary.hasMoreRequests = false
        // What was not given yet, the server can't have.
        let given = given
        let hasPending = replica.seen[device.id] > given
        try lacking.items.insertAllItems(of: replica.rows)
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
        try replica.removeChangesThatDoNotCount()
        lacking.ownHead =
            (hasPending || !replica.roster.begins(with: roster) && given > 0)
            && replica.roster.devices[device.id]?.last == nil
        // Nor does anyone overwrite what others may have stored under a key that this device lacks, until their heads show it all.
        if lacking.hidesHeads {
            for record in lacking.hiddenItems {
                try lacking.items.remove(record.bytes)
            }
        }
        if isOlder || isLost
            || lacking.heads.contains(where: { $0 != device.id || !hasPending })
        {
            report.findings.insert(.serverIsOlder)
        }
        guard hasPresentKey || !isFirst else {
            _ = try presentKey()
            return
        }
        // Who can't read everything blames no one else for what is missing.
        if isFirst || hasPresentKey && !lacking.hidesHeads && lacking.hiddenItems.isEmpty {
            try noteMissing(isFirst: isFirst, &lacking, &report)
            noteContradictions(&report)
        }
    }

    /// Notes who signed what is not so. A device whose own changes are missing may have signed those that others name, and
    /// hide that; and whose head names the same changes is not the one who hides them, but it is known that they are missing.
    private func noteContradictions(_ report: inout SyncReport) {
        let incomplete = replica.incompleteDevices(for: device.id)
        for (id, others) in contradicting
        where others.contains(id) || !incomplete.contains(id) && !others.isSubset(of: incomplete) {
            if let author = replica.roster.devices[id]?.card {
                report.findings.insert(.changeContradicts(author))
            }
        }
    }

    /// Notes the devices whose heads, or whose last changes in the roster, name changes that are nowhere to be found. They
    /// don't stop the exchange: a device that lies, or overwrites what others stored, would stop it for everybody. But a
    /// device that joins knows too little to go on without them, and what its sponsor knew has to be there.
    private func noteMissing(
        isFirst: Bool, _ lacking: inout Lacking, _ report: inout SyncReport
    ) throws(KeychainError) {
        if isFirst {
            guard try knowsWhatSponsorKnew() else {
                throw askForMissing()
            }
        }
        for id in replica.incompleteDevices(for: device.id) {
            let head = replica.summary.heads[id]
            if hasOlderHead(id), let card = replica.roster.devices[id]?.card {
                report.findings.insert(.headIsOlder(card))
                continue
            }
            // An owner that knows another roster can be believed: it could stop the team in any case.
            guard let claimant = replica.roster.devices[id],
                claimant.role != .owner || head.map(replica.knowsRoster(of:)) ?? true
            else {
                throw SyncEngine.incomplete
            }
            // Its own are gone after a crash, or a restored backup, of which no other device has them: it says so, and others
            // look for them no more.
            let isOwnLoss =
                id == device.id && claimant.last == nil
                && (!isFirst || head.map { replica.knows($0.seen, except: id) } ?? false)
            lacking.ownHead = lacking.ownHead || isOwnLoss
            guard !isFirst || isOwnLoss else {
                throw askForMissing()
            }
            if let head, id != device.id, replica.summary.looked.asked[id] != head.counter {
                replica.summary.looked.asked[id] = head.counter
                lacking.heads.insert(id)
            }
            report.findings.insert(.changesAreMissing(claimant.card))
        }
    }

    /// The devices of which something is missing.
    var missingDevices: Set<Identifier> {
        replica.incompleteDevices(for: device.id).filter { !hasOlderHead($0) }
    }

    /// Whether more changes of a device are known than its head tells of.
    private func hasOlderHead(_ id: Identifier) -> Bool {
        id != device.id && replica.seen[id] > replica.summary.heads[id]?.counter ?? 0
            && replica.roster.devices[id]?.last == nil
    }

    /// Asks devices to give the server again what it lacks: they look at everything if their heads come again.
    ///
    /// - Returns: What is missing.
    private func askForMissing() -> KeychainError {
        let missing = missingDevices
        var piece = Piece()
        // Any device may have what one made that has no head there.
        let heads = Set(replica.summary.heads.keys)
        piece.heads = heads.isDisjoint(with: missing) ? heads : missing
        if let puts = try? puts(of: piece), !puts.isEmpty {
            _ = try? transport.put(puts, rosterCount: replica.server.rosterCount)
        }
        let cards = missing.compactMap { replica.roster.devices[$0]?.card }
        return cards.isEmpty ? SyncEngine.incomplete : SyncEngine.missing(cards)
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

    static let incomplete = KeychainError(
        .decode, "the team's server leaves out changes that a device made",
        hint: "don't trust this server: ask the team's other members what they see")

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
        return try storedHead(of: device.id).map { $0.counter >= known.counter } ?? false
    }

    /// Returns the head of a device that the server has, nil if there is no right one.
    func storedHead(of device: Identifier) throws(KeychainError) -> DeviceHead? {
        let record = DeviceHead.record(of: device, team: replica.roster.team)
        guard let stored = try transport.record(record),
            case .head(let head) = try? RecordContent(
                stored.content, of: record, team: replica.roster.team, under: keys)
        else {
            return nil
        }
        return replica.roster.isRight(head) ? head : nil
    }

    /// Gives a server back the entries of the roster that it lost.
    ///
    /// - Parameter sequence: The number of the change from which on to ask for records, too.
    /// - Returns: All that it has then.
    func restoringRoster(
        _ roster: Roster, _ all: ServerChanges, since sequence: UInt64 = 0
    ) throws(KeychainError) -> ServerChanges {
        let since = ServerHead(sequence: sequence, rosterCount: 0)
        var (all, left, attempts) = (all, Int.max, 0)
        // Other devices may write or restore at the same time, but not for ever.
        while attempts < SyncEngine.attemptLimit {
            var reading = RosterReading(roster, replica.summary.looked.forgeries)
            try transport.read(all, since: since, &reading)
            let lacking = try reading.finish().lacking
            replica.summary.looked.forgeries = reading.forgeries
            guard !lacking.isEmpty else {
                return all
            }
            attempts = lacking.count < left ? 0 : attempts + 1
            left = lacking.count
            for entry in lacking {
                guard try transport.putRoster(entry.bytes, at: try transport.head()) == .stored
                else {
                    break
                }
            }
            all = try transport.changes(since: since)
        }
        throw SyncEngine.incomplete
    }

    /// Whether everything is there that this device's sponsor knew of.
    private func knowsWhatSponsorKnew() throws(KeychainError) -> Bool {
        replica.knows(try replica.roster.seenBySponsor(of: device.id))
    }
}
