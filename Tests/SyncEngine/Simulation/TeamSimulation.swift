import RandomNumbers
import Secrets
import SyncConformance
import SyncServer

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

    private final class Device {
        let identity: DeviceIdentity
        private(set) var stored: Replica
        /// An earlier one, to which a restored home folder goes back, if one was kept.
        private var older: Replica?
        var pending: [(id: Int64, change: LocalChange)] = []
        /// All its changes of each record.
        var made: [Identifier: Set<Int64>] = [:]
        /// Changes that are in the replica, and not acknowledged.
        var waiting: [Int64] = []
        var isAway = false
        /// Whether it is in the middle of an exchange.
        var isBusy = false
        var isGone = false
        /// What its last exchange found.
        var findings: Set<SyncReport.Finding> = []
        /// Whether it went back, and did not exchange since.
        var wentBack = false
        /// What its last exchange did.
        var result = ""
        /// Whether it signs what is not so.
        var isLiar = false
        /// Whether it was a reader some time.
        var wasReader = false
        /// Whether it changes items.
        let isWriter: Bool
        /// How wrong its clock is, in seconds.
        let skew: Int64

        init(
            _ identity: DeviceIdentity, _ replica: Replica, isWriter: Bool = true, skew: Int64
        ) {
            self.isWriter = isWriter
            self.identity = identity
            stored = replica
            self.skew = skew
        }

        /// Runs what changes the replica, and stores it unless the function throws or returns nil, as if the process
        /// had ended.
        ///
        /// - Parameter keepsOlder: Whether the replica before is the one to go back to.
        func change<Result>(
            keepsOlder: Bool, _ body: () throws(KeychainError) -> Result?
        ) throws(KeychainError) -> Result? {
            let before = keepsOlder ? try stored.copy() : nil
            let result = try stored.change(keepingIf: { $0 != nil }, body)
            if result != nil {
                older = before ?? older
                wentBack = false
            }
            return result
        }

        /// Restores an earlier home folder.
        ///
        /// - Returns: Whether one was kept.
        func goBack() throws -> Bool {
            guard let older else {
                return false
            }
            stored = try older.copy()
            wentBack = true
            return true
        }
    }

    private let size: Size
    private var random: SeededRandom
    private let network: UnreliableTransport.Network
    private var devices: [Device] = []
    /// The device that joins next: members who lie know it because it asks.
    private var asking: DeviceIdentity?
    private var made = 0
    private var records: [Identifier] = []
    private var restore: () throws -> Void
    /// Whether the server went back, and not all devices asked it since.
    private var serverWentBack = false
    /// For each change its record and the changes of it that it knew.
    private var changes: [Int64: (record: Identifier, known: Set<Int64>)] = [:]
    private var acknowledged: Set<Int64> = []
    /// The device and the number of each change.
    private var numbers: [Int64: ItemVersion.Number] = [:]
    /// The members who lie.
    private var liars: [Device] { devices.filter(\.isLiar) }
    /// Whom findings named.
    private var named: Set<Identifier> = []
    /// What went against what is promised.
    private(set) var failures: [String] = []
    /// Why the roster was not changed the last time.
    private var lastRefusal = ""
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

    private func makeIdentity() throws -> DeviceIdentity {
        made += 1
        return try DeviceIdentity(
            person: "p\(made)", name: "laptop", seed: Secret(copying: random.bytes(32).span))
    }

    private func count(_ what: String) {
        counts[what, default: 0] += 1
    }

    private func fail(_ what: String) {
        if failures.count < 20 {
            failures.append(what)
        }
    }

    private func attempt(_ body: () throws -> Void) {
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

    // MARK: Hostile members

    private func lie() throws {
        let liar = random.element(of: liars)
        let member = HostileMember(
            identity: liar.identity, replica: liar.stored, server: network.server)
        try member.lie(&random)
        count("lies")
    }

    /// Removes all who lie, whatever the server has of them, and lets them go on.
    private func removeLiars() throws {
        // The answer to a removal may have been lost.
        let roster = devices[0].stored.roster
        for liar in liars where roster.devices[liar.identity.id]?.role == nil {
            liar.isGone = true
        }
        let isNamed = !named.isDisjoint(with: liars.map(\.identity.id))
        // What a reader or a removed member signs is forged, whoever stored it.
        if !isNamed, liars.allSatisfy({ !$0.isGone && !$0.wasReader }) {
            fail("no one is named after \(counts["lies", default: 0]) lies")
        }
        for liar in liars where !liar.isGone {
            if random.chance(50) {
                try lie()
            }
            guard
                changeRoster({ engine throws(KeychainError) in try engine.remove([liar.identity.id])
                })
            else {
                fail("\(liar.identity.card.person) can't be removed: \(lastRefusal)")
                continue
            }
            liar.isGone = true
            count("removals")
        }
        for _ in 0..<(size.operations / 4) {
            network.faults = 1
            if random.chance(20) {
                try lie()
            }
            step()
        }
        try settle()
    }

    private func note(_ findings: Set<SyncReport.Finding>) {
        for finding in findings {
            switch finding {
            // Who lies can overwrite what others stored, and what proves it, until they give it back.
            case .changeContradicts(let card), .changesAreMissing(let card),
                .numberIsUsedTwice(let card):
                named.insert(card.id)
            case .serverIsOlder, .recordIsForged, .contentsAreWrong, .rosterHasForgedEntries: break
            }
        }
    }

    private func step() {
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

    private func change(_ device: Device) throws {
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
    private static func id(of version: ItemVersion) -> Int64 {
        version.date.secondsSinceEpoch / 1_000_000
    }

    private func engine(_ device: Device) throws -> SyncEngine {
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
    private func exchange(_ device: Device) -> Bool {
        guard !device.isAway, !device.isGone, !device.isBusy else {
            return false
        }
        device.isBusy = true
        defer { device.isBusy = false }
        do {
            let engine = try engine(device)
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
            return report.sent > 0 || report.received > 0
        } catch let error as KeychainError {
            refused(device, error)
        } catch {
            fail("\(error)")
        }
        return true
    }

    /// Whether a restored server explains a finding: the devices give it what it lost one after the other.
    private func isOfRestore(_ finding: SyncReport.Finding) -> Bool {
        switch finding {
        case .serverIsOlder: true
        case .changesAreMissing: serverWentBack
        // After a crash and a restored server.
        case .numberIsUsedTwice: counts["restores"] != nil
        case .recordIsForged, .contentsAreWrong, .changeContradicts, .rosterHasForgedEntries: false
        }
    }

    private func refused(_ device: Device, _ error: KeychainError) {
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

    private func deliver() {
        guard !network.late.isEmpty else {
            return
        }
        let put = network.late.remove(at: random.number(below: network.late.count))
        if (try? network.store(put.puts, put.rosterCount)) == .stored {
            count("late puts stored")
        }
    }

    private func restoreServer() {
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

    private func goBack(_ device: Device) {
        attempt {
            if try !serverWentBack && device.goBack() {
                count("devices that went back")
                device.waiting = []
            }
        }
    }

    // MARK: The roster

    /// Lets the founder change the roster. After a restore everyone exchanges first: two rosters that grew
    /// apart can't be merged, as the note on restoring a server says.
    private func changeRoster(
        _ body: (SyncEngine) throws(KeychainError) -> Void
    ) -> Bool {
        let founder = devices[0]
        if serverWentBack {
            let faults = network.faults
            network.faults = 0
            for _ in 0..<2 {
                for device in devices where !device.isGone {
                    let isAway = device.isAway
                    device.isAway = false
                    exchange(device)
                    device.isAway = isAway
                }
            }
            network.faults = faults
            serverWentBack = false
        }
        founder.isBusy = true
        defer { founder.isBusy = false }
        do {
            let engine = try engine(founder)
            _ = try founder.change(keepsOlder: random.chance(20)) {
                () throws(KeychainError) -> Bool? in
                try body(engine)
                return true
            }
            return true
        } catch let error as KeychainError {
            lastRefusal = "\(error.status): \(error)"
            if error.status == .decode, size.liars > 0 {
                count("who lies keeps others from joining")
            } else if error.status != .itemNotFound, error.status != .duplicateItem {
                refused(founder, error)
            }
        } catch {
            fail("\(error)")
        }
        return false
    }

    private func join() {
        do {
            let identity = try asking ?? makeIdentity()
            let next = try makeIdentity()
            asking = next
            try network.server.requestToJoin(next.card, wait: { _ in })
            let role = random.chance(15) ? Role.reader : .member
            guard
                changeRoster({ engine throws(KeychainError) in try engine.add(identity.card, role) }
                )
            else {
                return
            }
            let team = devices[0].stored.roster.team
            let replica = try Replica(joining: team, from: network.server)
            let device =
                Device(
                    identity, replica, isWriter: size.writers == 100 || random.chance(size.writers),
                    skew: Int64(random.number(below: 72_000)) - 36_000)
            device.wasReader = role == .reader
            devices.append(device)
            count("joins")
        } catch {
            fail("joining: \(error)")
        }
    }

    private func remove(_ device: Device) {
        guard device !== devices[0] else {
            return
        }
        if changeRoster({ engine throws(KeychainError) in try engine.remove([device.identity.id]) })
        {
            count("removals")
            device.isGone = true
        }
    }

    private func setRole(_ device: Device) {
        guard device !== devices[0] else {
            return
        }
        let role = random.chance(50) ? Role.reader : .member
        if changeRoster({ engine throws(KeychainError) in
            try engine.setRole(of: device.identity.id, to: role)
        }) {
            device.wasReader = device.wasReader || role == .reader
            count("roles")
        }
    }

    // MARK: What is promised

    /// Whether a version replaces a change, perhaps through one of a member who lies, as any member may.
    private func isReplaced(_ id: Int64, by version: ItemVersion) -> Bool {
        size.liars > 0
            && numbers[id].map { version.context[$0.device] >= $0.counter } ?? false
    }

    private func settle() throws {
        network.faults = 0
        for device in devices {
            device.isAway = false
        }
        var restless: [String] = []
        for round in 0..<12 {
            restless = []
            var isQuiet = true
            // Who lies never is: it signs anew what the others set aside.
            for device in devices where !device.isGone && !device.isLiar {
                let wait = counts["who joins waits"]
                if exchange(device), counts["who joins waits"] == wait {
                    isQuiet = false
                    restless.append("\(device.identity.card.person) \(device.result)")
                }
            }
            if isQuiet {
                count("rounds until quiet: \(round)")
                return
            }
        }
        fail("it does not become quiet: \(restless)")
    }

    private func check() throws {
        let founder = devices[0].stored
        let items = try founder.items
        for device in devices where !device.isGone {
            // Nothing takes away records that were made up after a removal.
            let findings = device.findings.filter {
                if case .recordIsForged = $0 { size.liars == 0 } else { true }
            }
            if !findings.isEmpty {
                fail(
                    "\(device.identity.card.person) finds \(findings.map { "\($0)".prefix(60) }) in the end"
                )
            }
            if try device.stored.items != items {
                fail("\(device.identity.card.person) has other items, \(device.result)")
            }
            if device.stored.roster.lastDigest != founder.roster.lastDigest {
                fail("\(device.identity.card.person) has another roster")
            }
        }
        for (id, change) in changes where acknowledged.contains(id) {
            // Who lies can overwrite what only a removed device has.
            let maker = devices.first { $0.identity.id == numbers[id]?.device }
            guard size.liars == 0 || maker?.isGone != true else {
                continue
            }
            let versions = items[change.record]?.versions ?? []
            let isThere = versions.contains {
                let other = TeamSimulation.id(of: $0)
                return other == id || changes[other]?.known.contains(id) == true
                    || isReplaced(id, by: $0)
            }
            if !isThere {
                fail("change \(id) is lost")
            }
        }
        if network.oldKeys > 0 {
            fail("\(network.oldKeys) records were stored under an older key")
        }
        // A device that joins now gets the same.
        do {
            let identity = try makeIdentity()
            guard
                changeRoster({ engine throws(KeychainError) in
                    try engine.add(identity.card, .member)
                })
            else {
                return fail("nothing can join")
            }
            let replica = try Replica(
                joining: founder.roster.team, from: network.server)
            let last = Device(identity, replica, skew: 0)
            exchange(last)
            if try last.stored.items != founder.items {
                fail("a new device gets other items, \(last.result)")
            }
        } catch {
            fail("\(error)")
        }
    }
}
