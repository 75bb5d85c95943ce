internal import LanyardSecrets
package import SyncEngine

/// What a hostile server does, done by a real one that goes back to backups and gets records from others, as cases over a
/// server without the team. The devices' clocks jump by decades.
package enum HostileServerCase: String, CaseIterable, Sendable {
    case itGoesBack
    case itShowsAnOldContentAsNew
    case itLeavesAnItemOut
    case itShowsTwoDevicesDifferentItems
    case itShowsAnotherTeamsRoster
    case itLosesARemoval
    case itForksALargeItem
    case itForgesTheRoster

    private struct Team {
        let ada: TestDevice
        let grace: TestDevice
        /// An item that both had before the last backup, and one that was added after it.
        let changed: Identifier
        let added: Identifier
        /// The server without a team, and as it was before the last changes.
        let restoreNothing: () throws -> Void
        let restore: () throws -> Void
        /// The record of the changed item then.
        let old: ServerRecord?

        init(on server: any RestorableServer, _ connect: () throws -> any SyncTransport) throws {
            restoreNothing = try server.makeBackup()
            let transport = try connect()
            ada = try TestDevice(creating: transport, now: HostileServerCase.makeClock())
            changed = try ada.add("first")
            grace = try ada.sponsor("grace", seed: 2, on: try connect())
            restore = try server.makeBackup()
            old = try server.record(changed)
            try ada.set(changed, "present")
            added = try ada.add("added")
            try grace.exchange()
        }

        /// Whether the devices agree on the texts after exchanges without a finding, and one that joins does.
        func agrees(
            _ devices: [TestDevice], _ texts: [Identifier: String],
            _ connect: () throws -> any SyncTransport
        ) throws -> Bool {
            for device in devices + devices {
                try device.exchange()
            }
            let kay = try ada.sponsor("kay", seed: 4, on: try connect())
            return try (devices + [kay]).allSatisfy { device in
                try device.exchange().findings.isEmpty && device.texts() == texts
            }
        }
    }

    /// Returns a clock that jumps back and forth, from 1960 to 2087.
    private static func makeClock() -> () -> Timestamp {
        var count: Int64 = 0
        return {
            count += 1
            return Timestamp(secondsSinceEpoch: 1_700_000_000 + (count % 5 - 2) * 1_000_000_000)
        }
    }

    /// Runs the case.
    ///
    /// - Parameter connect: Creates a transport of another device to the same server.
    package func run(
        _ server: any RestorableServer, _ connect: () throws -> any SyncTransport
    ) throws {
        let team = try Team(on: server, connect)
        let (ada, grace) = (team.ada, team.grace)
        var truth = [team.changed: "present", team.added: "added"]
        switch self {
        case .itGoesBack:
            try team.restore()
            let report = try grace.exchange()
            try expect(report.findings.contains(.serverIsOlder) && report.sent > 0, "\(report)")
        case .itShowsAnOldContentAsNew:
            guard let old = team.old, try HostileServerCase.put([old], on: server) else {
                throw TransportFailure(description: "nothing is replayed")
            }
            let report = try grace.exchange()
            try expect(report.findings.contains(.serverIsOlder) && report.sent > 0, "\(report)")
        case .itLeavesAnItemOut:
            let records = try HostileServerCase.records(server)
            try team.restore()
            try expect(
                HostileServerCase.put(records.filter { $0.id != team.added }, on: server), "put")
            let report = try grace.exchange()
            try expect(report.findings.contains(.serverIsOlder) && report.sent > 0, "\(report)")
        case .itShowsTwoDevicesDifferentItems:
            let state = try server.makeBackup()
            try ada.set(team.changed, "ada's")
            let adas = try server.makeBackup()
            try state()
            try grace.set(team.added, "grace's")
            let graces = try HostileServerCase.records(server)
            try adas()
            try expect(ada.exchange().findings.isEmpty, "a fork is seen by what it does not show")
            // A part of what Grace's server has.
            let items = [team.changed, team.added]
            try expect(
                HostileServerCase.put(graces.filter { !items.contains($0.id) }, on: server), "put")
            let report = try ada.exchange()
            try expect(
                report.findings.contains(.changesAreMissing(grace.identity.card)), "\(report)")
            // All of it is a merge, and no fork.
            try expect(
                HostileServerCase.put(graces.filter { $0.id == team.added }, on: server), "put")
            truth = [team.changed: "ada's", team.added: "grace's"]
        case .itForksALargeItem:
            // Each version fits in a record, but not both of them.
            let text = String(repeating: "x", count: 3 << 20)
            let state = try server.makeBackup()
            try ada.set(team.changed, "ada's" + text)
            try state()
            try grace.set(team.changed, "grace's" + text)
            for device in [ada, grace, ada, grace] {
                try device.exchange()
            }
            truth[team.changed] = try ada.texts()[team.changed]
        case .itForgesTheRoster:
            let lee = try ada.sponsor("lee", seed: 3, on: try connect())
            let entries = try server.changes(since: .start).roster
            let forged =
                [[], [1], [UInt8](repeating: 1, count: 1000), [2] + entries[1].dropFirst()]
                + entries.map { $0 + [0] } + entries
            for entry in forged {
                let result = try server.putRoster(entry, at: server.head())
                try expect(result == .stored, "\(result)")
            }
            for device in [ada, grace] {
                let findings = try device.exchange().findings
                try expect(findings == [.rosterHasForgedEntries], "\(findings)")
                try expect(device.exchange().findings.isEmpty, "named twice")
            }
            try ada.engine.remove([lee.identity.id])
        case .itShowsAnotherTeamsRoster:
            let state = try server.makeBackup()
            try team.restoreNothing()
            let eve = try TestDevice(creating: server, "eve", seed: 66)
            try eve.engine.add(ada.identity.card, .owner)
            try eve.engine.add(grace.identity.card, .member)
            try eve.add("eve's")
            for device in [ada, grace] {
                do throws(KeychainError) {
                    _ = try device.engine.exchange()
                    throw KeychainError(.success)
                } catch {
                    try expect(error.status == .decode, "\(error)")
                }
                try expect(device.texts() == truth, "items changed")
            }
            try state()
        case .itLosesARemoval:
            let state = try server.makeBackup()
            try ada.engine.remove([grace.identity.id])
            try state()
            try ada.exchange()
            do throws(KeychainError) {
                _ = try grace.engine.exchange()
                throw KeychainError(.success)
            } catch {
                try expect(error.status == .missingEntitlement, "\(error)")
            }
            return try expect(team.agrees([ada], truth, connect), "they disagree")
        }
        try expect(team.agrees([ada, grace], truth, connect), "they disagree")
    }

    /// All records, in one answer.
    private static func records(_ server: any SyncTransport) throws -> [ServerRecord] {
        try server.changes(since: TransportCase.start).records
    }

    /// Stores contents instead of those that are there.
    private static func put(
        _ records: [ServerRecord], on server: any SyncTransport
    ) throws -> Bool {
        let puts = try records.map { record in
            ServerRecord(
                id: record.id, version: try server.record(record.id)?.version ?? 0,
                content: record.content)
        }
        return try server.put(puts, rosterCount: server.head().rosterCount) == .stored
    }

    private func expect(_ isTrue: Bool, _ words: String, line: Int = #line) throws {
        guard isTrue else {
            throw TransportFailure(description: "line \(line): \(words.prefix(2000))")
        }
    }
}
