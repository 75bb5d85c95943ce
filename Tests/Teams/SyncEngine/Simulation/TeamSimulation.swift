import TestSupport
import LanyardSecrets
import SyncConformance

@testable import SyncEngine

/// A team of many devices that change, exchange, crash, join and leave in an order that a seed decides.
///
/// A device's changes are acknowledged once an exchange has returned with nothing waiting, and its replica was
/// stored. Its process may end before that at any step; it then starts with the replica that it stored last,
/// and gives its changes again.
final class TeamSimulation {
    struct Size {
        var devices: Int
        var operations: Int
        var items: Int
        /// How many of 100 devices change items; the others only read them.
        var writers = 100
        /// How many records go to a server at once.
        var pieceCount = SyncPiece.count
        /// How many members sign what is not so, until they are removed and after that.
        var liars = 0
    }

    let size: Size
    var random: SeededRandom
    let network: UnreliableTransport.Network
    var devices: [Device] = []
    /// The device that joins next: members who lie know it because it asks.
    var asking: DeviceIdentity?
    var made = 0
    var records: [Identifier] = []
    var restore: () throws -> Void
    /// Whether the server went back, and not all devices asked it since.
    var serverWentBack = false
    /// For each change its record and the changes of it that it knew.
    var changes: [Int64: (record: Identifier, known: Set<Int64>)] = [:]
    var acknowledged: Set<Int64> = []
    /// The device and the number of each change.
    var numbers: [Int64: ItemVersion.Number] = [:]
    /// The members who lie.
    var liars: [Device] { devices.filter(\.isLiar) }
    /// Whom findings named.
    var named: Set<Identifier> = []
    /// What went against what is promised.
    private(set) var failures: [String] = []
    /// Why the roster was not changed the last time.
    var lastRefusal = ""
    /// How often what happened.
    private(set) var counts: [String: Int] = [:]

    init(_ size: Size, seed: UInt64, on server: any RestorableServer = MemoryServer()) throws {
        self.size = size
        random = SeededRandom(seed: seed)
        network = UnreliableTransport.Network(SeededRandom(seed: seed &+ 1), server)
        restore = {}
        let identity = try makeIdentity()
        let first = try Roster.create(
            name: "team", by: identity, key: try DeviceIdentity.makeSeed(),
            date: TestDevice.start)
        _ = try network.server.putRoster(first.bytes, at: .start)
        devices = [Device(identity, try Replica(Roster(first)), skew: 0)]
        network.race = { [unowned self] in
            exchange(random.element(of: devices))
        }
        exchange(devices[0])
        while devices.count < max(2 + size.liars, size.devices / 2) {
            join()
        }
        for device in devices.suffix(size.liars) {
            device.isLiar = true
        }
        restore = try server.makeBackup()
    }

    func makeIdentity() throws -> DeviceIdentity {
        made += 1
        return try DeviceIdentity(
            person: "p\(made)", name: "laptop", seed: Secret(copying: random.bytes(32).span))
    }

    func count(_ what: String) {
        counts[what, default: 0] += 1
    }

    func fail(_ what: String) {
        if failures.count < 20 {
            failures.append(what)
        }
    }

    func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            fail("\(error)")
        }
    }

    // MARK: What happens

    /// Does everything, and then lets it be quiet.
    func run() throws {
        for _ in 0..<size.operations {
            network.faults = random.chance(30) ? 10 : 1
            if size.liars > 0, random.chance(10) {
                try lie()
            }
            step()
        }
        try settle()
        if size.liars > 0 {
            try removeLiars()
        }
        try check()
    }

    func step() {
        let present = devices.filter { !$0.isGone }
        let device = random.element(of: present)
        let number = random.number(below: 1000)
        // A change is lost if the server goes back, or its device, and who lies overwrites what is left of it.
        guard size.liars == 0 || !(950..<965).contains(number) else {
            return
        }
        switch number {
        case ..<450:
            attempt {
                try change(
                    device.isWriter ? device : random.element(of: present.filter(\.isWriter)))
            }
        case ..<880: exchange(device)
        case ..<900: device.isAway.toggle()
        case ..<930: deliver()
        case ..<950: attempt { restore = try network.server.makeBackup() }
        case ..<955: restoreServer()
        case ..<965: goBack(device)
        case ..<975 where present.count < size.devices: join()
        case ..<980 where present.count > 3: remove(device)
        case ..<990: setRole(device)
        default: exchange(device)
        }
    }

    func change(_ device: Device) throws {
        guard device.stored.roster.devices[device.identity.id]?.role != .reader else {
            return
        }
        let id = Int64(changes.count + 1)
        let isNew = records.count < size.items && random.chance(20) || records.isEmpty
        let text = Secret("change \(id)")
        let change: LocalChange
        if isNew {
            let record = try Identifier(random.bytes(Identifier.size))
            change = LocalChange(record, text, base: nil)
            records.append(change.record)
        } else {
            let record = random.element(of: records)
            change =
                random.chance(15)
                ? try LocalChange(record, nil, in: device.stored)
                : try LocalChange(record, text, in: device.stored)
        }
        // Its own earlier changes are replaced too.
        var known: Set<Int64> = []
        for version in try device.stored.item(change.record)?.versions ?? [] {
            known.insert(TeamSimulation.id(of: version))
        }
        // Also those that it forgot because its home folder was restored: they stay readable as older versions.
        known.formUnion(device.made[change.record] ?? [])
        device.made[change.record, default: []].insert(id)
        for id in known {
            known.formUnion(changes[id]?.known ?? [])
        }
        changes[id] = (change.record, known)
        device.pending.append((id, change))
        count("changes")
    }

    /// The change that a version is of: its date says it, on which nothing depends.
    static func id(of version: ItemVersion) -> Int64 {
        version.date.secondsSinceEpoch / 1_000_000
    }

    func engine(_ device: Device) throws -> SyncEngine {
        // The change that gets the next date, and the first one of the piece.
        var (next, first) = (0, 0)
        let ids = device.pending.map(\.id)
        let transport = UnreliableTransport(network)
        transport.hear = { result in
            if result == .stored {
                first = next
            } else {
                next = first
            }
        }
        return try SyncEngine(
            device.stored, device.identity, transport,
            pieceCount: size.pieceCount,
            now: { [unowned self] in
                defer { next += 1 }
                let id = ids.isEmpty ? 0 : ids[next % ids.count]
                let replica = device.stored
                let last = max(
                    replica.summary.lastNumber, replica.seen[device.identity.id],
                    replica.heads[device.identity.id]?.counter ?? 0)
                numbers[id] = ItemVersion.Number(device: device.identity.id, counter: last + 1)
                return Timestamp(secondsSinceEpoch: id * 1_000_000 + 500_000 + device.skew)
            },
            wait: { _ in })
    }

    /// - Returns: Whether something changed somewhere.
    @discardableResult
    func exchange(_ device: Device) -> Bool {
        guard !device.isAway, !device.isGone, !device.isBusy else {
            return false
        }
        device.isBusy = true
        defer { device.isBusy = false }
        do {
            let engine = try engine(device)
            if !device.pending.isEmpty {
                try engine.reserveNumbers(device.pending.count)
            }
            let keepsOlder = random.chance(20)
            let report = try device.change(keepsOlder: keepsOlder) {
                () throws(KeychainError) -> SyncReport? in
                let report = try engine.exchange(device.pending.map(\.change))
                device.findings = report.findings
                return random.chance(network.faults) ? nil : report
            }
            guard let report else {
                count("crashes before the replica was stored")
                return true
            }
            count("exchanges")
            if !report.findings.isEmpty {
                count("findings")
                if size.liars > 0 {
                    note(report.findings)
                } else if report.findings.contains(where: { !isOfRestore($0) }) {
                    fail(
                        "\(device.identity.card.person) found \(report.findings.map { "\($0)".prefix(70) })"
                    )
                }
            }
            for (id, change) in device.pending {
                let version = try device.stored.item(change.record)?.versions.first {
                    TeamSimulation.id(of: $0) == id
                }
                numbers[id] = version?.number ?? numbers[id]
            }
            // They are part of the replica now.
            device.waiting += device.pending.map(\.id)
            device.pending = []
            guard report.waiting == 0 else {
                count("exchanges that left something waiting")
                return true
            }
            if engine.replica.roster.devices[device.identity.id]?.role != .reader {
                acknowledged.formUnion(device.waiting)
            }
            device.waiting = []
            device.result =
                "\(report.received)/\(report.sent) \(report.findings.map { "\($0)".prefix(60) })"
            // Each device says once that the server was restored.
            return report.sent > 0 || report.received > 0
                || size.liars == 0 && !report.findings.isEmpty
        } catch let error as KeychainError {
            refused(device, error)
        } catch {
            fail("\(error)")
        }
        return true
    }

    /// Whether a restored server explains a finding: the devices give it what it lost one after the other.
    func isOfRestore(_ finding: SyncReport.Finding) -> Bool {
        switch finding {
        case .serverIsOlder, .changesAreDropped: true
        case .changesAreMissing, .headIsOlder: serverWentBack
        case .recordIsForged, .contentsAreWrong, .changeContradicts, .numberIsUsedTwice,
            .rosterHasForgedEntries, .rosterIsFlooded, .changeOfMembersIsOverruled,
            .changeOfMembersIsUnexplained, .keyIsMissing, .keysAreHidden:
            false
        }
    }

    func refused(_ device: Device, _ error: KeychainError) {
        switch error.status {
        case .notAvailable: count("faults")
        case .missingEntitlement:
            device.isGone = true
        case .writePermissions:
            count("changes of a reader")
            device.pending = []
        // Who joins hears who lies, and waits until an owner removed that one.
        case .decode where size.liars > 0 && (try? device.stored.items.isEmpty) ?? false:
            count("who joins waits")
            device.result = "\(error)"
        // Who lies can stop its own device.
        case _ where device.isLiar: count("who lies can't go on")
        default:
            fail("\(device.identity.card.person), \(error.status): \(error)")
        }
    }

    func deliver() {
        guard !network.late.isEmpty else {
            return
        }
        let put = network.late.remove(at: random.number(below: network.late.count))
        if (try? network.store(put.puts, put.rosterCount)) == .stored {
            count("late puts stored")
        }
    }

    func restoreServer() {
        guard !devices.contains(where: { $0.wentBack && !$0.isGone }) else {
            return
        }
        count("restores")
        attempt { try restore() }
        network.late = []
        serverWentBack = true
        // The one that knows the newest roster exchanges first: until then a device that was removed or may
        // only read since the backup writes as before, and what it writes does not count. It need not be the
        // founder, who may not have heard that its last entry was stored.
        let first = devices.filter { !$0.isGone }.max {
            $0.stored.roster.entries.count < $1.stored.roster.entries.count
        }
        guard let first else {
            return
        }
        let (faults, isAway) = (network.faults, first.isAway)
        (network.faults, first.isAway) = (0, false)
        exchange(first)
        (network.faults, first.isAway) = (faults, isAway)
        // An entry that only the server and the removed device had is gone.
        for device in devices {
            device.isGone = first.stored.roster.devices[device.identity.id]?.role == nil
        }
    }

    func goBack(_ device: Device) {
        attempt {
            if try !serverWentBack && device.goBack() {
                count("devices that went back")
                device.waiting = []
            }
        }
    }
}
