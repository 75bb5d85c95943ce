import KeychainServices
import SyncEngine
import SyncConformance
import Testing

@testable import KeychainSync

/// Devices that only read, that leave, and that come back with a recovery key.
@Suite("Membership of a shared keychain") struct MembershipTests {
    private let server = MemoryServer()
    private let ada: Machine
    private let grace: Machine

    init() throws {
        ada = try Machine(server)
        grace = try Machine(server)
        try ada.add("db", "one")
        try ada.create()
    }

    @Test func aReaderGetsChangesWhateverItChanged() throws {
        try grace.add("api", "own")
        try grace.join(ada, "grace", .reader)
        try grace.set("db", "mine")
        try grace.add("extra", "mine")
        #expect(try grace.exchange().refused == 3)
        #expect(try grace.open().changes() == 0)
        #expect(try grace.open().refusedChanges() == 3)
        #expect(try ada.open().refusedChanges() == 0)
        // Its own stay, until the team has something newer.
        #expect(try grace.secrets() == ["db": "mine", "extra": "mine", "api": "own"])
        try ada.set("db", "two")
        try ada.add("api", "team")
        try ada.exchange()
        try grace.exchange()
        #expect(try grace.secrets() == ["db": "two", "extra": "mine", "api": "own"])
        // The team got none of it.
        try ada.exchange()
        #expect(try ada.secrets() == ["db": "two", "api": "team"])
    }

    @Test func aDeviceThatBecameAReaderHearsOfIt() throws {
        try grace.join(ada, "grace")
        try ada.setRole(of: grace, .reader)
        try grace.set("db", "mine")
        #expect(try grace.exchange().refused == 1)
        #expect(try grace.open().roster.devices[grace.open().card.id]?.role == .reader)
        // As a member again it gives what it changed meanwhile.
        try ada.setRole(of: grace, .member)
        try grace.exchange()
        #expect(try grace.exchange().refused == 0)
        try ada.exchange()
        #expect(try ada.secrets() == ["db": "mine"])
    }

    @Test func whoLeftKeepsTheItemsAndCanJoinAgain() throws {
        try grace.join(ada, "grace")
        try grace.add("api", "two")
        try grace.open().leave()
        #expect(throws: KeychainError(.noSuchKeychain)) { try grace.open() }
        #expect(try grace.secrets() == ["db": "one", "api": "two"])
        #expect(!grace.place.isShared)
        try ada.exchange()
        #expect(try ada.secrets() == ["db": "one", "api": "two"])
        #expect(try ada.open().roster.present.map(\.card.person) == ["ada"])
        // Her keys open nothing that is stored from now on.
        #expect(try ada.open().roster.generation == 2)
        try grace.join(ada, "grace")
        #expect(try ada.open().roster.present.map(\.card.person) == ["ada", "grace"])
        #expect(try grace.secrets() == ["db": "one", "api": "two"])
    }

    @Test func theLastOwnerCanNotLeave() throws {
        try grace.join(ada, "grace")
        #expect(try ada.open().isLastOwner)
        #expect(throws: KeychainError(.param)) { try ada.open().leave() }
        #expect(try ada.open().isMember)
        try ada.setRole(of: grace, .owner)
        try ada.open().leave()
        #expect(!ada.place.isShared)
        try grace.exchange()
        #expect(try grace.open().roster.present.map(\.card.person) == ["grace"])
    }

    @Test func whoWasRemovedCanEndTheSharing() throws {
        try grace.join(ada, "grace")
        let device = try grace.open().card.id
        try ada.open().changeRoster { engine throws(KeychainError) in try engine.remove([device]) }
        #expect(throws: KeychainError(.missingEntitlement)) { try grace.exchange() }
        try grace.open().leave()
        #expect(!grace.place.isShared)
    }

    // MARK: Requests to join

    private func request(
        _ machine: Machine, _ person: String, device: String = "server", invitation: String? = nil
    ) throws -> SharedKeychain {
        try SharedKeychain.join(
            machine.place, machine.store, address: "memory",
            code: invitation ?? ada.invitation, isForSynchronizable: false, person: person,
            device: device, connect: machine.connect)
    }

    @Test func aRequestIsTakenBack() throws {
        _ = try request(grace, "grace")
        #expect(throws: KeychainError(.missingEntitlement)) {
            try grace.open().history(of: Query(.genericPassword))
        }
        try ada.exchange()
        #expect(try ada.open().requests.map(\.person) == ["grace"])
        try grace.open().leave()
        #expect(!grace.place.isShared)
        try ada.exchange()
        #expect(try ada.open().requests.isEmpty)
        // Another one is not in its way, also for a device that knows neither.
        try grace.join(ada, "grace")
        let lin = try Machine(server)
        try lin.join(ada, "lin")
        #expect(try lin.open().requests.isEmpty)
    }

    /// An owner who was removed works with the server, which shows the team as it was before that.
    @Test(arguments: [false, true]) func aRemovedOwnersTeamIsNotJoined(_ asksBefore: Bool) throws {
        let mallory = try Machine(server)
        try mallory.join(ada, "mallory", .owner)
        let before = server.backup
        let device = try mallory.open().card.id
        try ada.open().changeRoster { engine throws(KeychainError) in try engine.remove([device]) }
        let invitation = try ada.invitation
        if asksBefore {
            let card = try request(grace, "grace").card
            server.backup = before
            try mallory.open().approve(card, .member)
            #expect(throws: KeychainError(.decode)) { try grace.exchange() }
            #expect(try !grace.open().isMember)
        } else {
            server.backup = before
            #expect(throws: KeychainError(.decode)) {
                try request(grace, "grace", invitation: invitation)
            }
            #expect(throws: KeychainError(.param)) {
                try request(grace, "grace", invitation: String(invitation.dropLast()))
            }
            #expect(!grace.place.isShared)
        }
    }

    @Test func aRequestIsRefused() throws {
        let lin = try Machine(server)
        try lin.join(ada, "lin")
        let device = try request(grace, "grace").card.id
        let refuse = { (engine: SyncEngine) throws(KeychainError) in try engine.refuse(device) }
        #expect(throws: KeychainError(.writePermissions)) { try lin.open().changeRoster(refuse) }
        try ada.open().changeRoster(refuse)
        #expect(try ada.open().requests.isEmpty)
        do {
            try grace.exchange()
            Issue.record("a refused device got items")
        } catch {
            #expect("\(error)".contains("this device's request to join was ended"))
        }
        #expect(try grace.open().isRemoved)
        try grace.open().leave()
        try grace.join(ada, "grace")
    }

    /// Else the team would have a device that no machine has.
    @Test func whoWasApprovedMeanwhileLeavesTheTeam() throws {
        let card = try request(grace, "grace").card
        try ada.exchange()
        try ada.open().approve(card, .member)
        try grace.open().leave()
        try ada.exchange()
        #expect(try ada.open().roster.present.map(\.card.person) == ["ada"])
    }

    /// Once to know what is there, and once afterwards.
    @Test func anApprovalAsksTheServerTwice() throws {
        let card = try request(grace, "grace").card
        try ada.exchange()
        let shared = try ada.open()
        var count = 0
        server.show = { changes in
            count += 1
            return changes
        }
        try shared.approve(card, .member)
        #expect(count == 2)
        try grace.exchange()
    }

    @Test func namesAreTakenOnce() throws {
        #expect(throws: KeychainError(.duplicateItem)) {
            try request(grace, "ada", device: "laptop")
        }
        #expect(!grace.place.isShared)
        // Both asked at once.
        let lin = try Machine(server)
        let cards = try [request(grace, "grace").card, request(lin, "grace").card]
        try ada.exchange()
        try ada.open().approve(cards[0], .member)
        #expect(throws: KeychainError(.duplicateItem)) {
            try ada.open().approve(cards[1], .member)
        }
        try lin.open().leave()
        _ = try request(lin, "grace", device: "other")
    }

    @Test func twoOwnersApproveADeviceAtOnce() throws {
        let lin = try Machine(server)
        try lin.join(ada, "lin", .owner)
        let card = try request(grace, "grace").card
        try ada.exchange()
        try lin.exchange()
        let (first, second) = try (ada.open(), lin.open())
        try first.approve(card, .member)
        let entries = first.roster.entries.count
        // Lin saw the request only.
        try second.approve(card, .member)
        #expect(second.roster.entries.count == entries)
        let error = #expect(throws: KeychainError.self) { try second.approve(card, .reader) }
        #expect(error?.reason == "the device is in the team already, as member")
        try grace.exchange()
        #expect(try grace.secrets() == ["db": "one"])
    }

    // MARK: Recovery keys

    private static let key = Array("twenty bytes of a key".utf8.prefix(20))

    private func recover(
        _ machine: Machine, _ key: [UInt8] = key, person: String? = nil
    ) throws -> SharedKeychain {
        try SharedKeychain.recover(
            machine.place, machine.store, address: "memory",
            code: try ada.invitation, recoveryKey: Secret(copying: key.span),
            isForSynchronizable: false, person: person, device: "new", connect: machine.connect)
    }

    @Test func aRecoveryKeyBringsANewMachineIn() throws {
        try ada.open().add(recoveryKey: Secret(copying: Self.key.span))
        let shown = try ada.open().roster.present.map { "\($0.card.person)/\($0.card.name)" }
        #expect(shown == ["ada/laptop", "ada/recovery key"])
        // Another device left meanwhile, so the team has another key by now.
        try grace.join(ada, "grace")
        try grace.open().leave()
        try ada.set("db", "two")
        try ada.exchange()
        #expect(try ada.open().roster.generation == 2)

        let new = try Machine(server)
        var wrong = Self.key
        wrong[0] ^= 1
        #expect(throws: KeychainError(.authFailed)) { try recover(new, wrong) }
        #expect(!new.place.isShared)
        let shared = try recover(new)
        #expect(shared.card.person == "ada")
        _ = try shared.exchange()
        #expect(try new.secrets() == ["db": "two"])
    }

    @Test func theRecoveredMachineIsAnOwnersAndRemovesTheLostOne() throws {
        try ada.open().add(recoveryKey: Secret(copying: Self.key.span))
        let new = try Machine(server)
        let shared = try recover(new)
        let lost = try ada.open().card.id
        try shared.changeRoster { engine throws(KeychainError) in try engine.remove([lost]) }
        #expect(throws: KeychainError(.missingEntitlement)) { try ada.exchange() }
        #expect(shared.isLastOwner)
    }

    @Test func aRemovedRecoveryKeyOpensNothing() throws {
        try ada.open().add(recoveryKey: Secret(copying: Self.key.span))
        #expect(throws: KeychainError(.duplicateItem)) {
            try ada.open().add(recoveryKey: Secret(copying: [UInt8](repeating: 1, count: 20).span))
        }
        let key = try #require(
            ada.open().roster.present.map(\.card).first { $0.isRecoveryKey }?.id)
        try ada.open().changeRoster { engine throws(KeychainError) in try engine.remove([key]) }
        let new = try Machine(server)
        #expect(throws: KeychainError(.authFailed)) { try recover(new) }
    }

    @Test func onlyAnOwnerMakesOneAndNoDeviceHasItsName() throws {
        try grace.join(ada, "grace")
        #expect(throws: KeychainError(.writePermissions)) {
            try grace.open().add(recoveryKey: Secret(copying: Self.key.span))
        }
        let other = try Machine(server)
        #expect(throws: KeychainError(.param)) {
            try SharedKeychain.create(
                other.place, other.store, team: "t", address: "memory", isForSynchronizable: false,
                person: "lin", device: "recovery key", connect: other.connect)
        }
    }
}
