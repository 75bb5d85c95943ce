import KeychainServices
import SealedStore
import Testing

@testable import KeychainSync
@testable import SyncEngine
@testable import EndToEndRig

/// A member whose changed client signs what is not so: the owner and a third go on, see its name, and can remove it.
@Suite(.timeLimit(.minutes(5))) struct LyingMemberTests {
    let server: ScratchHome
    let ada: TeamMachine
    let grace: TeamMachine
    let eve: TeamMachine

    private var address: String { "\(server.path)/team" }

    init() async throws {
        server = try ScratchHome()
        (ada, grace, eve) = (
            try await TeamMachine("ada"), try await TeamMachine("grace"),
            try await TeamMachine("eve")
        )
        #expect(try await ada.home.lanyard("team", "init", address).status == 0)
        try await ada.create(address)
        try await grace.join(ada, address)
        try await eve.join(ada, address)
        try await eve.set("db", "eve's")
        try await eve.succeeds("sync")
        try await ada.succeeds("sync")
        // It replaces that of Eve, who then knows it.
        try await ada.set("db", "ada's")
        try await ada.succeeds("sync")
        try await eve.succeeds("sync")
        try await grace.succeeds("sync")
    }

    /// What Eve signs.
    enum Lie: CaseIterable {
        /// A second version with the number of her last one, which replaces Ada's and is replaced by it.
        case aVersionThatHidesAllOthers
        /// The next version, which claims to know nearly all numbers that Ada will ever have.
        case aVersionThatUsesUpNumbers
    }

    /// The team as Eve's machine knows it, with her keys.
    private func openEves() throws -> SharedKeychain {
        let store = try SealedStore.openOrMake(
            at: KeychainLocation(
                file: "\(eve.home.lanyard)/data/work.keychain", stateFolder: eve.home.state),
            provider: nil)
        let place = SharedKeychain.Place(
            name: "work", stateFolder: eve.home.state, keychainFile: nil)
        return try SharedKeychain(place, store) { address, team throws(KeychainError) in
            FolderTransport(address, team: team)
        }
    }

    /// Stores changes of the team's members that no owner signed: Eve makes herself an owner, and others are none at all.
    private func forgeRoster() throws {
        let shared = try openEves()
        let (roster, device) = (shared.roster, shared.device.identity)
        let server = try shared.connect(shared.address, roster.team)
        let entry = roster.entry(
            .setRole(device.id, .owner, last: .none), by: device,
            date: Timestamp(secondsSinceEpoch: 0)
        ).bytes
        let all: [[UInt8]] = [entry, [2] + entry.dropFirst(), [], [2]]
        for forged in all {
            #expect(try server.putRoster(forged, at: server.head()) == .stored)
        }
    }

    /// Stores a version on the server, with the keys that Eve's machine has.
    private func store(_ lie: Lie) throws {
        let shared = try openEves()
        let (team, device) = (shared.roster.team, shared.device.identity)
        let server = try shared.connect(shared.address, team)
        let key = try #require(try shared.roster.keys(of: device).last)
        let owner = try #require(shared.roster.present.first { $0.role == .owner }?.card.id)
        var found: (record: Identifier, item: SharedItem)?
        try shared.state.replica.forEachItem { record, item in
            found = item.winner.device == owner ? (record, item) : found
        }
        var (record, item) = try #require(found)
        var context = item.context
        let own = context[device.id]
        try #require(own > 0 && item.winner.context[device.id] == own)
        if lie == .aVersionThatUsesUpNumbers {
            context[owner] = SyncLimits.number - 1
        }
        item.add(
            try ItemVersion(
                of: record, content: Secret(String(repeating: "x", count: 70_000)),
                context: context,
                counter: lie == .aVersionThatHidesAllOthers ? own : own + 1, clock: 1000,
                date: Timestamp(secondsSinceEpoch: 0), by: device, team: team, under: key))
        let version = try #require(try server.record(record)).version
        let content = try RecordContent.item(item).seal(as: record, team: team, under: key)
        #expect(
            try server.put(
                [ServerRecord(id: record, version: version, content: content)],
                rosterCount: server.head().rosterCount) == .stored)
    }

    /// Lets the others exchange, each with a change of its own.
    private func expectTheOthersGoOn(_ round: Int, isNamed: Bool) async throws {
        for (machine, name) in [(ada, "ada"), (grace, "grace")] {
            let outcome = try await machine.team("sync")
            #expect(outcome.status == 0, "\(outcome)")
            if !isNamed || name == "ada" {
                #expect(outcome.errorText.contains("of eve") == isNamed, "\(outcome)")
            }
            try await machine.set("\(name)-\(round)", "\(round)")
            try await machine.succeeds("sync")
        }
        try await ada.succeeds("sync")
        for machine in [ada, grace] {
            #expect(try await machine.secret("db") == "ada's")
            #expect(try await machine.secret("ada-\(round)") == "\(round)")
            #expect(try await machine.secret("grace-\(round)") == "\(round)")
        }
    }

    private func removeEve() async throws {
        try await ada.succeeds("remove", "eve", "--yes")
    }

    private func expectQuiet() async throws {
        try await ada.set("db", "last")
        for machine in [ada, grace, ada] {
            let outcome = try await machine.team("sync")
            #expect(outcome.status == 0 && !outcome.errorText.contains("warning"), "\(outcome)")
        }
        #expect(try await grace.secret("db") == "last")
        let new = try await TeamMachine("new")
        try await new.join(ada, address)
        #expect(try await new.secret("db") == "last")
    }

    @Test(arguments: Lie.allCases) func aMember(_ lie: Lie) async throws {
        try store(lie)
        try await expectTheOthersGoOn(1, isNamed: true)
        let line =
            "changes of 'laptop' of eve did not fit with others; if that goes on: lanyard team remove"
        #expect(try await ada.succeeds("status").contains(line))
        try await removeEve()
        #expect(try await !ada.succeeds("status").contains(line))
        try await expectTheOthersGoOn(2, isNamed: false)
        try await expectQuiet()
    }

    /// Whoever can write to the folder can add them, before and after her removal.
    @Test func forgedChangesOfTheTeamStopNoOne() async throws {
        for round in 1...2 {
            try forgeRoster()
            for machine in [grace, ada] {
                let outcome = try await machine.team("sync")
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.errorText.contains("that no owner made"), "\(outcome)")
            }
            try await expectTheOthersGoOn(round, isNamed: false)
            if round == 1 {
                try await removeEve()
                #expect(try await eve.team("sync").status != 0)
            }
        }
        try await expectQuiet()
    }

    /// They are there before the owner sees any of them.
    @Test func forgedChangesOfTheTeamPreventNoRemoval() async throws {
        try forgeRoster()
        try await removeEve()
        try await grace.succeeds("sync")
        try await expectQuiet()
    }

    /// An owner signs rubbish with a later number: a newer Lanyard may have made it, so the others do nothing until she is removed.
    @Test func anOwnerWhoClaimsANewerForm() async throws {
        try await ada.succeeds("role", "eve", "owner")
        try await eve.succeeds("sync")
        let shared = try openEves()
        let (roster, device) = (shared.roster, shared.device.identity)
        let server = try shared.connect(shared.address, roster.team)
        let entry = roster.entry(.leave, by: device, date: Timestamp(secondsSinceEpoch: 0)).bytes
        let signed = [2] + entry.dropFirst().dropLast(64) + [1]
        let later = signed + device.sign(RosterEnvelope.label + signed)
        #expect(try server.putRoster(later, at: server.head()) == .stored)
        for machine in [grace, ada] {
            let outcome = try await machine.team("sync")
            #expect(outcome.status != 0)
            #expect(
                outcome.errorText.contains(
                    "'laptop' of eve changed the team in a form that this Lanyard does not know"),
                "\(outcome)")
            #expect(outcome.errorText.contains("newer Lanyard"), "\(outcome)")
            #expect(outcome.errorText.contains("lanyard team remove 'eve/laptop'"), "\(outcome)")
        }
        try await removeEve()
        for machine in [ada, grace] {
            try await machine.succeeds("sync")
        }
        try await expectTheOthersGoOn(1, isNamed: false)
        try await expectQuiet()
    }

    /// It is removed before anyone saw the lie.
    @Test(arguments: Lie.allCases) func aMemberWhoIsRemovedAtOnce(_ lie: Lie) async throws {
        try store(lie)
        try await removeEve()
        try await expectTheOthersGoOn(1, isNamed: false)
        try await expectQuiet()
    }

    /// She still has the old keys, and can write to the folder.
    @Test(arguments: Lie.allCases) func whoWasRemoved(_ lie: Lie) async throws {
        try await removeEve()
        try await grace.succeeds("sync")
        try store(lie)
        try await expectTheOthersGoOn(1, isNamed: false)
        try await expectQuiet()
    }
}
