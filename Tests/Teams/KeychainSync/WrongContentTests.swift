import LanyardCryptography
import KeychainServices
import SyncConformance
import Testing

@testable import KeychainSync
@testable import SyncEngine

/// A member whose device signs what is no item.
@Suite("Wrong contents of shared items") struct WrongContentTests {
    private let server = MemoryServer()
    private let ada: Machine
    private let grace: Machine
    private let mallory: Machine

    init() throws {
        (ada, grace, mallory) = (try Machine(server), try Machine(server), try Machine(server))
        try ada.add("db", "one")
        try ada.create()
        try grace.join(ada, "grace")
        try mallory.join(ada, "mallory")
    }

    enum Wrong: CaseIterable {
        case noItem, laterForm, underAnotherKey, keysOfADevice, tooLargeForAKeychain, noStoredClass
    }

    private func content(_ wrong: Wrong) throws -> Secret {
        var attributes = ItemAttributes()
        attributes.accessGroup = "login"
        attributes.accessible = .whenUnlocked
        attributes.service = "db"
        var itemClass = ItemClass.genericPassword
        var secret = Secret("wrong")
        switch wrong {
        case .noItem: return Secret("no item, but long enough for one")
        case .laterForm: return Secret(copying: [UInt8](repeating: 2, count: 32).span)
        case .underAnotherKey: break
        case .keysOfADevice:
            attributes.accessGroup = "lanyard"
            attributes.service = "lanyard team device"
            attributes.account = "ada"
            secret = Secret(copying: [UInt8](repeating: 1, count: 32).span)
        case .tooLargeForAKeychain:
            secret = Secret(
                copying: [UInt8](repeating: 1, count: Keychain.secretLimit + 1).span)
        case .noStoredClass: itemClass = .identity
        }
        return ItemContent(itemClass, attributes, secret: secret).bytes
    }

    /// The only record that the team has.
    private func onlyRecord() throws -> Identifier {
        var records: [Identifier] = []
        try ada.open().state.replica.forEachItem { record, _ in records.append(record) }
        try #require(records.count == 1)
        return records[0]
    }

    /// Who goes on without another finding, perhaps only looked as if it lied.
    @Test func aDeviceIsNamedUntilItGoesOn() throws {
        let device = try publishContradiction()
        try ada.exchange()
        #expect(try ada.open().contradicting.map(\.id) == [device])
        try ada.exchange()
        #expect(try ada.open().contradicting.map(\.id) == [device])
        try mallory.add("mail", "honest")
        try mallory.exchange()
        try ada.exchange()
        #expect(try ada.open().contradicting.isEmpty)
        #expect(try ada.secrets()["mail"] == "honest")
    }

    /// Lets Mallory's device name changes that Ada's did not make.
    private func publishContradiction() throws -> Identifier {
        let record = try onlyRecord()
        let shared = try mallory.open()
        let engine = try shared.engine()
        var item = try #require(try engine.replica.item(record))
        var context = item.context
        let adas = try #require(context.devices.first { $0 != engine.device.id })
        context[adas] += 1_000
        let key = try engine.presentKey()
        let team = engine.replica.roster.team
        item.add(
            try ItemVersion(
                of: record, content: nil, context: context, counter: engine.counter + 1, clock: 9,
                date: Timestamp(secondsSinceEpoch: 0), by: engine.device, team: team, under: key))
        let known = try #require(server.records[record])
        let content = try RecordContent.item(item).seal(as: record, team: team, under: key)
        _ = try server.put(
            [ServerRecord(id: record, version: known.version, content: content)],
            rosterCount: UInt64(server.roster.count))
        return engine.device.id
    }

    /// Lets Mallory's device store a version of a record.
    private func publish(_ wrong: Wrong, as record: Identifier) throws {
        let shared = try mallory.open()
        let engine = try shared.engine()
        _ = try engine.exchange()
        let (replica, device) = (engine.replica, shared.device.identity)
        let team = replica.roster.team
        let own = try engine.presentKey()
        let other = try Roster(
            Roster.create(
                name: "other", by: device, key: try DeviceIdentity.makeSeed(),
                date: Timestamp(secondsSinceEpoch: 0))
        ).keys(of: device)[0]
        try shared.state.change { () throws(KeychainError) in
            let known = try replica.item(record)
            let content: Secret?
            do { content = try self.content(wrong) } catch { throw KeychainError(.param) }
            let version = try ItemVersion(
                of: record, content: content, context: known?.context ?? VersionVector(),
                counter: engine.counter + 1, clock: (known?.clock ?? 0) + 1,
                date: Timestamp(secondsSinceEpoch: 0), by: device, team: team,
                under: wrong == .underAnotherKey ? other : own)
            var item = known ?? SharedItem(version)
            item.add(version)
            try replica.set(item, as: record, insteadOf: known)
            let contents: [(Identifier, RecordContent)] = [
                (record, .item(item)),
                (
                    DeviceHead.record(of: device.id, team: team),
                    .head(replica.head(of: device))
                ),
            ]
            let puts = try contents.map { id, content throws(KeychainError) in
                ServerRecord(
                    id: id, version: try replica.serverVersion(of: id) ?? 0,
                    content: try content.seal(as: id, team: team, under: own))
            }
            let result = try server.put(puts, rosterCount: UInt64(replica.roster.entries.count))
            #expect(result == .stored)
        }
    }

    private func finding(_ records: [Identifier]) throws -> SyncReport.Finding {
        .contentsAreWrong(try mallory.open().card, records)
    }

    @Test(arguments: Wrong.allCases) func theOthersGoOnWithTheEarlierOne(_ wrong: Wrong) throws {
        let record = try onlyRecord()
        try publish(wrong, as: record)
        for number in 0..<2 {
            try ada.add("\(number)", "x")
            for machine in [ada, grace] {
                #expect(try machine.exchange().findings == [finding([record])])
                #expect(try machine.secrets()["db"] == "one")
                #expect(try machine.open().setAside().map(\.records) == [[record]])
            }
            #expect(try grace.secrets() == (try ada.secrets()))
        }
        #expect(try ada.history("db").versions.map(\.number) == [1])
        #expect(try ada.open().conflicts() == 0)
        // The next change replaces it.
        try grace.set("db", "two")
        for machine in [grace, ada, grace] {
            try machine.exchange()
        }
        for machine in [ada, grace] {
            #expect(try machine.exchange().findings.isEmpty)
            #expect(try machine.secrets()["db"] == "two")
            #expect(try machine.history("db").versions.map(\.number) == [3, 1])
        }
    }

    @Test(arguments: Wrong.allCases) func aNewOneIsNotShown(_ wrong: Wrong) throws {
        let record = try Identifier.random()
        try publish(wrong, as: record)
        let lin = try Machine(server)
        try lin.join(ada, "lin")
        for machine in [ada, grace, lin] {
            #expect(try machine.exchange().findings == [finding([record])])
            #expect(try machine.secrets() == ["db": "one"])
        }
    }

    @Test func aDeletedItemStaysDeleted() throws {
        let record = try onlyRecord()
        try ada.remove("db")
        for machine in [ada, grace] {
            try machine.exchange()
        }
        try publish(.noItem, as: record)
        for machine in [ada, grace] {
            #expect(try machine.exchange().findings == [finding([record])])
            #expect(try machine.secrets().isEmpty)
        }
        try grace.add("db", "two")
        for machine in [grace, ada] {
            #expect(try machine.exchange().findings.isEmpty)
            #expect(try machine.secrets() == ["db": "two"])
        }
    }

    /// The team stores no large older version.
    @Test func whatNoVersionHasAnyMoreStays() throws {
        let record = try onlyRecord()
        let large = String(repeating: "x", count: SharedItem.olderSizeLimit)
        try ada.set("db", large)
        for machine in [ada, grace] {
            try machine.exchange()
        }
        try publish(.noItem, as: record)
        for machine in [ada, grace, ada] {
            #expect(try machine.exchange().findings == [finding([record])])
            #expect(try machine.secrets() == ["db": large])
        }
        try grace.set("db", "two")
        for machine in [grace, ada] {
            try machine.exchange()
            #expect(try machine.secrets() == ["db": "two"])
        }
    }
}
