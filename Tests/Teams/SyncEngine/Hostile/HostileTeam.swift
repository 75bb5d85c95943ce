import LanyardCryptography
import LanyardSecrets
import SyncConformance

@testable import SyncEngine

/// A team whose server is hostile: it knows and changes everything that it stores, and works together with
/// Mallory, who was a member, was removed, and kept her keys.
///
/// The tests named BW, LP, DL and 1P are the attacks of "Zero Knowledge (About) Encryption" (eprint 2026/058)
/// on Bitwarden, LastPass, Dashlane and 1Password, as far as they have a counterpart here.
struct HostileTeam {
    let server = MemoryServer()
    let ada: TestDevice
    let grace: TestDevice
    let mallory: TestDevice
    /// An item that Mallory changed last while she was a member, and Ada after it.
    let record: Identifier
    /// An item that Mallory never saw.
    let unseen: Identifier
    /// The server as it was while Mallory was a member.
    let before: MemoryServer.Backup

    init() throws {
        ada = try TestDevice(creating: server)
        record = try ada.add("first-secret")
        grace = try ada.sponsor("grace", seed: 2, on: server)
        mallory = try ada.sponsor("mallory", seed: 3, on: server)
        try mallory.set(record, "mallory-secret")
        try ada.exchange()
        try grace.exchange()
        before = server.backup
        try ada.engine.remove([mallory.identity.id])
        try ada.set(record, "present-secret")
        unseen = try ada.add("unseen-secret")
        try grace.exchange()
    }

    var team: Identifier { ada.engine.replica.roster.team }

    /// What both members have to see, whatever the server does.
    var truth: [Identifier: String] { [record: "present-secret", unseen: "unseen-secret"] }

    /// The keys that Mallory kept.
    func keptKeys() throws -> [TeamKey] {
        try mallory.engine.replica.roster.keys(of: mallory.identity)
    }

    /// Stores a content, as if a device had.
    func inject(_ content: [UInt8], as record: Identifier) {
        server.sequence += 1
        server.sequences[record] = server.sequence
        server.records[record] = ServerRecord(
            id: record, version: (server.records[record]?.version ?? 0) + 1, content: content)
    }

    func inject(_ content: RecordContent, as record: Identifier, under key: TeamKey) throws {
        inject(try content.seal(as: record, team: team, under: key), as: record)
    }

    /// Returns a version that a device signs although it may not.
    func version(
        _ text: String, of record: Identifier, by device: DeviceIdentity, _ counter: UInt64,
        knowing context: VersionVector, clock: UInt64 = 1000, under key: TeamKey
    ) throws -> ItemVersion {
        try ItemVersion(
            of: record, content: Secret(text), context: context, counter: counter, clock: clock,
            date: TestDevice.start, by: device, team: team, under: key)
    }

    /// An entry that follows the roster's last one, whoever signs it.
    func entry(_ change: RosterEntry.Change, by device: DeviceIdentity) -> [UInt8] {
        ada.engine.replica.roster.entry(change, by: device, date: TestDevice.start).bytes
    }

    /// What the server has, in one piece.
    var everything: [UInt8] {
        server.records.values.flatMap(\.content) + server.roster.flatMap { $0 }
    }

    /// Whether a device that has these keys can read none of the records that changed after a head.
    func readsNothing(_ keys: [TeamKey], since sequence: UInt64) -> Bool {
        server.records.values.allSatisfy { record in
            server.sequences[record.id]! <= sequence
                || (try? RecordContent(record.content, of: record.id, team: team, under: keys))
                    == nil
        }
    }

    /// Exchanges Grace's items. The report has to say that a record is forged, and nothing may have changed;
    /// afterwards the server has the right content again.
    func graceFindsForgery(of record: Identifier) throws -> Bool {
        let report = try grace.exchange()
        let findings = try ada.exchange().findings.subtracting([.serverIsOlder])
        // There is no right content for a record that no member has.
        let isHealed =
            try (findings.isEmpty || truth[record] == nil) && ada.texts() == truth
        return try report.findings.contains(.recordIsForged(record)) && grace.texts() == truth
            && isHealed
    }

    /// Whether an exchange of a device is refused, and changes nothing.
    func isRefused(_ device: TestDevice, _ status: Status = .decode) throws -> Bool {
        let known = try device.texts()
        let count = device.engine.replica.roster.entries.count
        do {
            _ = try device.exchange()
            return false
        } catch let error as KeychainError {
            return try error.status == status && !error.description.isEmpty
                && device.texts() == known
                && device.engine.replica.roster.entries.count == count
        }
    }

    /// Adds an entry to the server's roster, whoever signed it.
    ///
    /// - Returns: Whether the devices skip it, find it once, and go on as before.
    func isSkipped(_ entry: [UInt8], by devices: [TestDevice]) throws -> Bool {
        server.roster.append(entry)
        return try devices.allSatisfy { device in
            let known = device.engine.replica.roster
            let findings = try [device.exchange().findings, device.exchange().findings]
            return try findings == [[.rosterHasForgedEntries], []] && device.texts() == truth
                && device.engine.replica.roster.lastDigest == known.lastDigest
                && device.engine.replica.roster.devices == known.devices
        }
    }

    /// Tries to let a new device join that Ada adds, with the server as it then is.
    func join(_ seed: UInt8, _ lie: () throws -> Void) throws -> TestDevice {
        let identity = try TestDevice.identity("kay", seed)
        try ada.engine.add(identity.card, .member)
        try lie()
        return try TestDevice(identity, joining: server, team: team)
    }
}
