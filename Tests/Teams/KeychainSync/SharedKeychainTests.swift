import Foundation
import KeychainServices
import TestSupport
import SQLiteFile
import SealedStore
import SyncEngine
import SyncConformance
import Testing

@testable import KeychainSync

@Suite("Shared keychain") struct SharedKeychainTests {
    @Test func anExchangeTellsHowFarItIs() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        /// Returns the last number and the last total of each part.
        func exchange(_ machine: Machine) throws -> [SyncPhase: [Int]] {
            var told: [SyncPhase: [Int]] = [:]
            let shared = try machine.open()
            shared.progress = { phase, done, total in told[phase] = [done, total] }
            _ = try shared.exchange()
            return told
        }
        try ada.create()
        try grace.join(ada, "grace")
        for number in 0..<5 {
            try ada.add("item \(number)", "secret")
        }
        let sent = try exchange(ada)
        // Its own keys are one more.
        #expect(sent[.reading] == [6, 0])
        #expect(sent[.sending] == [5, 5])
        let received = try exchange(grace)
        let records = try #require(received[.receiving])
        #expect(records[0] == records[1] && records[0] >= 5)
        #expect(received[.storing] == [5, 5])
    }

    @Test func itemsTravelBothWays() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.add("db", "one")
        try ada.create()
        try grace.add("own", "two")
        try grace.join(ada, "grace")
        try ada.exchange()
        #expect(try ada.secrets() == ["db": "one", "own": "two"])
        #expect(try grace.secrets() == ["db": "one", "own": "two"])
        try grace.set("db", "three")
        try grace.label("own", "a label")
        try grace.exchange()
        try ada.remove("own")
        try ada.exchange()
        // She labelled it without his deletion: it stays.
        #expect(try ada.secrets() == ["db": "three", "own": "two"])
        try ada.remove("own")
        try ada.exchange()
        try grace.exchange()
        #expect(try grace.secrets() == ["db": "three"])
    }

    @Test func anExchangeWithoutChangesStoresNothing() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try ada.add("db", "one")
        try grace.join(ada, "grace")
        for _ in 0..<3 {
            try ada.exchange()
            try grace.exchange()
        }
        let sequence = server.sequence
        for machine in [ada, grace] {
            let report = try machine.exchange()
            #expect((report.sent, report.received) == (0, 0))
            #expect(report.findings.isEmpty)
        }
        #expect(server.sequence == sequence)
    }

    @Test func theSameItemOfTwoMachinesIsOne() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        try ada.add("db", "ada's")
        try grace.add("db", "grace's")
        try ada.exchange()
        try grace.exchange()
        try ada.exchange()
        #expect(try ada.secrets() == (try grace.secrets()))
        try ada.remove("db")
        try ada.exchange()
        try grace.exchange()
        #expect(try grace.secrets().isEmpty)
    }

    /// Of several logins for a host, git gets the one stored last.
    @Test func itemsArriveInTheOrderOfTheirChanges() throws {
        let server = MemoryServer()
        let (ada, grace, lin) = (try Machine(server), try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        for number in 0..<8 {
            try ada.add("s\(number)", "one")
        }
        try ada.set("s3", "two")
        try ada.exchange()
        try grace.exchange()
        try lin.join(ada, "lin")
        for machine in [ada, grace, lin] {
            #expect(
                try machine.services() == ["s3", "s7", "s6", "s5", "s4", "s2", "s1", "s0"])
        }
        for service in ["s6", "s2", "s7"] {
            try grace.set(service, "three")
        }
        for machine in [grace, ada, lin] {
            try machine.exchange()
            #expect(
                try machine.services() == ["s7", "s2", "s6", "s3", "s5", "s4", "s1", "s0"])
        }
    }

    /// An import or a restored copy has today's date, and an old password. The devices' random ids decided
    /// once, so each of several pairs has to agree.
    @Test(arguments: 1...6)
    func anItemFromBeforeJoiningDoesNotReplaceTheTeams(pair: Int) throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.add("db", "ada's")
        try ada.create()
        try grace.add("db", "grace's")
        try grace.add("own", "grace's")
        try grace.join(ada, "grace")
        for machine in [ada, grace, ada] {
            try machine.exchange()
            #expect(try machine.secrets() == ["db": "ada's", "own": "grace's"])
            #expect(try machine.open().conflicts() == 1)
        }
        let versions = try ada.history("db").versions
        #expect(versions.map { $0.device?.person } == ["ada", "grace"])
        #expect(versions.map(\.number) == [1, 0])
        #expect(try numbers(ada, "own") == [1])
        try ada.open().restore(try #require(versions[1].item))
        for machine in [ada, grace] {
            try machine.exchange()
            #expect(try machine.secrets()["db"] == "grace's")
            #expect(try machine.open().conflicts() == 0)
        }
    }

    /// The team has the item from before, and the process did not hear that.
    @Test(arguments: 1...6)
    func anItemFromBeforeJoiningDoesNotReplaceTheTeamsAfterACrash(pair: Int) throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.add("db", "ada's")
        try ada.create()
        try grace.add("db", "grace's")
        let code = try ada.invitation
        let card = try SharedKeychain.join(
            grace.place, grace.store, address: "memory", code: code, isForSynchronizable: false,
            person: "grace", device: "server", connect: grace.connect
        ).card
        try ada.open().changeRoster { engine throws(KeychainError) in
            try engine.add(card, .member)
        }
        server.losesAnswer = true
        #expect(throws: KeychainError.self) { try grace.exchange() }
        for machine in [grace, ada] {
            try machine.exchange()
            #expect(try machine.secrets() == ["db": "ada's"])
            #expect(try numbers(machine) == [1, 0])
        }
    }

    /// She is in the team, and stored it just now.
    @Test func anItemOfAMemberCountsAsBefore() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        try ada.add("db", "ada's")
        try grace.add("db", "grace's")
        for machine in [ada, grace, ada] {
            try machine.exchange()
        }
        for machine in [ada, grace] {
            #expect(try numbers(machine) == [1, 1])
        }
    }

    private func numbers(_ machine: Machine, _ service: String = "db") throws -> [UInt64] {
        try machine.history(service).versions.map(\.number)
    }

    @Test func aVersionKeepsItsNumber() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try ada.add("db", "1")
        try ada.exchange()
        for secret in ["2", "3"] {
            try ada.set("db", secret)
            try ada.exchange()
        }
        #expect(try numbers(ada) == [3, 2, 1])
        for _ in 0..<2 {
            let version = try #require(try ada.history("db").versions.first { $0.number == 1 })
            try ada.open().restore(try #require(version.item))
            try ada.exchange()
            #expect(try ada.secrets() == ["db": "1"])
            #expect(try numbers(ada) == [4, 3, 2, 1])
        }
        // Also if older ones are dropped, and on other devices.
        for number in 5..<20 {
            try ada.set("db", "\(number)")
            try ada.exchange()
        }
        try grace.join(ada, "grace")
        #expect(try numbers(ada) == (9...19).reversed())
        #expect(try numbers(grace) == numbers(ada))
    }

    /// Both stored it before they were of one team, or at once: the loser's secret is not lost.
    @Test func theHistoryHasBothItemsOfOneName() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.add("db", "ada's")
        try ada.create()
        try grace.add("db", "grace's")
        try grace.join(ada, "grace")
        try ada.exchange()
        let versions = try ada.history("db").versions
        #expect(versions.map(\.isConflict) == [false, true])
        #expect(Set(versions.map { $0.device?.person }) == ["ada", "grace"])
    }

    /// It was opened without waiting for the exchange that follows.
    @Test func theHistoryIsOfOneMoment() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.add("db", "one")
        try ada.create()
        try grace.join(ada, "grace")
        let looking = try SharedKeychain(lookingAt: ada.place, ada.store)
        try Machine(server).join(ada, "lin")
        // It leads to a new key of the team.
        let device = try grace.open().card.id
        try ada.open().changeRoster { engine throws(KeychainError) in try engine.remove([device]) }
        try ada.set("db", "two")
        try ada.exchange()
        let history = try #require(try looking.history(of: Query(.genericPassword)).first)
        #expect(history.versions.map(\.number) == [2, 1])
        #expect(looking.roster.present.map(\.card.person) == ["ada", "lin"])
    }

    private func machinesThatAddedOneName() throws -> (Machine, Machine) {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        try ada.add("db", "ada's")
        try grace.add("db", "grace's")
        for machine in [ada, grace, ada] {
            try machine.exchange()
        }
        return (ada, grace)
    }

    /// Both records are of one name, and deleted together.
    @Test func aDeletionOfBothItemsOfOneNameIsUndone() throws {
        let (ada, grace) = try machinesThatAddedOneName()
        for machine in [ada, grace] {
            #expect(try machine.open().conflicts() == 1)
            #expect(try machine.open().conflictingItems().map(\.service) == ["db"])
        }
        try ada.remove("db")
        try ada.exchange()
        try grace.exchange()
        for machine in [ada, grace] {
            try machine.exchange()
            #expect(try machine.open().conflicts() == 0)
            for person in ["ada", "grace"] {
                let versions = try machine.history("db").versions
                #expect(versions.first?.item == nil)
                let version = try #require(
                    versions.first { $0.device?.person == person && $0.number == 1 })
                try machine.open().restore(try #require(version.item))
                try machine.exchange()
                #expect(try machine.secrets() == ["db": "\(person)'s"])
                #expect(try machine.history("db").versions.first?.item != nil)
                try machine.remove("db")
                try machine.exchange()
            }
        }
    }

    @Test func aChangeEndsTheConflictOfTwoItemsOfOneName() throws {
        let (ada, grace) = try machinesThatAddedOneName()
        try ada.set("db", "both")
        for machine in [ada, grace, ada] {
            try machine.exchange()
        }
        for machine in [ada, grace] {
            #expect(try machine.secrets() == ["db": "both"])
            #expect(try machine.open().conflicts() == 0)
            #expect(
                Set(try machine.history("db").versions.compactMap(\.device?.person))
                    == ["ada", "grace"])
        }
    }

    /// A deletion by mistake, and the item stored again: the secret from before is still there.
    @Test func anItemThatIsStoredAgainKeepsItsHistory() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.add("db", "one")
        try ada.create()
        try grace.join(ada, "grace")
        try ada.remove("db")
        try ada.exchange()
        try grace.exchange()
        #expect(try grace.secrets().isEmpty)
        try grace.add("db", "two")
        try grace.exchange()
        try ada.exchange()
        #expect(try ada.secrets() == ["db": "two"])
        for machine in [ada, grace] {
            let versions = try machine.history("db").versions
            #expect(versions.map(\.number) == [3, 2, 1])
            #expect(versions.map { $0.item == nil } == [false, true, false])
        }
        try ada.remove("db")
        try ada.exchange()
        try grace.exchange()
        #expect(try grace.secrets().isEmpty)
    }

    @Test func whatIsNotSynchronizableStays() throws {
        let server = MemoryServer()
        let (one, other) = (try Machine(server), try Machine(server))
        try one.add("here", "one")
        try one.add("everywhere", "two", isSynchronizable: true)
        try one.create(isForSynchronizable: true)
        try other.join(one, "ada", isForSynchronizable: true)
        #expect(try other.secrets() == ["everywhere": "two"])
    }

    @Test func aTeamsOtherItemsStayOutOfAKeychainForSynchronizableOnes() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.add("here", "one")
        try ada.add("everywhere", "two", isSynchronizable: true)
        try ada.create()
        try grace.join(ada, "grace", isForSynchronizable: true)
        #expect(try grace.secrets() == ["everywhere": "two"])
        for service in ["here", "everywhere"] {
            try ada.set(service, "three")
        }
        try ada.exchange()
        try grace.exchange()
        #expect(try grace.secrets() == ["everywhere": "three"])
        try ada.remove("here")
        try ada.exchange()
        try grace.exchange()
        #expect(try grace.exchange().isQuiet)
        #expect(try grace.secrets() == ["everywhere": "three"])
    }

    @Test func aKeychainRestoredFromABackupIsBroughtUpToDate() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.add("db", "one")
        try ada.create()
        try grace.join(ada, "grace")
        try grace.set("db", "two")
        try grace.exchange()
        try ada.exchange()
        // As an older file would have it.
        try ada.set("db", "one")
        try TeamDevice.count(0, in: ada.store)
        try ada.exchange()
        try grace.exchange()
        #expect(try ada.secrets() == ["db": "two"])
        #expect(try grace.secrets() == ["db": "two"])
    }

    @Test func aBackupFromBeforeOnesOwnChangesDoesNotUndoThem() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.add("db", "one")
        try ada.create()
        try grace.join(ada, "grace")
        try ada.exchange()
        let backup = try #require(try TeamDevice.read(from: ada.store)).exchanges
        // Nothing comes back in this exchange.
        try ada.set("db", "two")
        try ada.exchange()
        try ada.set("db", "one")
        try TeamDevice.count(backup, in: ada.store)
        try ada.exchange()
        try grace.exchange()
        #expect(try ada.secrets() == ["db": "two"])
        #expect(try grace.secrets() == ["db": "two"])
    }

    @Test func aLostReplicaFileOfACrashIsNoHarm() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        // The server has it, the keychain shows it, and the file is not written.
        try grace.add("db", "one")
        server.losesAnswer = true
        #expect(throws: KeychainError.self) { try grace.exchange() }
        try grace.exchange()
        try ada.exchange()
        try grace.exchange()
        #expect(try ada.secrets() == ["db": "one"])
        #expect(try grace.secrets() == ["db": "one"])
        try ada.set("db", "two")
        try ada.exchange()
        try grace.exchange()
        #expect(try grace.secrets() == ["db": "two"])
    }

    @Test func whatIsDeletedAfterACrashStaysDeleted() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        for isChanged in [false, true] {
            // The server has it, and the process ends.
            try grace.add("db", "one")
            server.losesAnswer = true
            #expect(throws: KeychainError.self) { try grace.exchange() }
            if isChanged {
                try ada.exchange()
                try ada.set("db", "ada's")
                try ada.exchange()
            }
            try grace.remove("db")
            try grace.exchange()
            try ada.exchange()
            // A deletion only removes what it knew.
            let left = isChanged ? ["db": "ada's"] : [:]
            #expect(try grace.secrets() == left)
            #expect(try ada.secrets() == left)
        }
    }

    @Test func whatIsStoredAgainAfterACrashStays() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.add("db", "one")
        try ada.create()
        try grace.join(ada, "grace")
        try grace.remove("db")
        server.losesAnswer = true
        #expect(throws: KeychainError.self) { try grace.exchange() }
        try grace.add("db", "one")
        try grace.exchange()
        try ada.exchange()
        #expect(try grace.secrets() == ["db": "one"])
        #expect(try ada.secrets() == ["db": "one"])
    }

    /// Each machine gives once: the order of devices decides between changes made at the same time.
    @Test(arguments: [false, true])
    func whatIsGivenAgainAfterACrashReplacesNothing(isAdded: Bool) throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        for (service, giver, other) in [("ada's", ada, grace), ("grace's", grace, ada)] {
            if isAdded {
                try giver.add(service, "one")
            } else {
                try giver.add(service, "zero")
                try giver.exchange()
                try giver.set(service, "one")
            }
            server.losesAnswer = true
            #expect(throws: KeychainError.self) { try giver.exchange() }
            try other.exchange()
            try other.set(service, "two")
            for machine in [other, giver, other] {
                try machine.exchange()
            }
            for machine in [giver, other] {
                #expect(try machine.secrets()[service] == "two")
                #expect(try machine.open().conflicts() == 0)
            }
        }
    }

    /// - Parameter losses: Whether the answer to each of two exchanges is lost.
    @Test(arguments: [[true, false], [false, true], [true, true]])
    func aChangeBackAfterACrashIsAChange(losses: [Bool]) throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        try grace.add("db", "one")
        for (isLost, next) in zip(losses, ["two", "one"]) {
            server.losesAnswer = isLost
            #expect((try? grace.exchange()) == nil || !isLost)
            #expect(!server.losesAnswer)
            try grace.set("db", next)
        }
        for machine in [grace, ada] {
            try machine.exchange()
            #expect(try machine.secrets() == ["db": "one"])
        }
    }

    /// The server got nothing of what the exchange was about to give.
    @Test func whatIsTakenBackAfterAFailedExchangeReplacesNothing() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        for (service, giver, other) in [("ada's", ada, grace), ("grace's", grace, ada)] {
            try giver.add(service, "one")
            try giver.exchange()
            try giver.set(service, "a mistake")
            server.isAway = true
            #expect(throws: KeychainError.self) { try giver.exchange() }
            server.isAway = false
            try giver.set(service, "one")
            try other.exchange()
            try other.set(service, "two")
            for machine in [other, giver, other] {
                try machine.exchange()
            }
            for machine in [giver, other] {
                #expect(try machine.secrets()[service] == "two")
            }
        }
    }

    /// It has the secret that its own device gave before the deletion.
    @Test func whatIsStoredAgainStaysAfterAFailedExchange() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        try grace.add("db", "one")
        for machine in [grace, ada] {
            try machine.exchange()
        }
        try ada.remove("db")
        for machine in [ada, grace] {
            try machine.exchange()
        }
        try grace.add("db", "one")
        // It goes away after the exchange that new items cost.
        var count = 0
        server.show = { changes in
            count += 1
            server.isAway = count == 2
            return changes
        }
        #expect(throws: KeychainError(.notAvailable)) { try grace.exchange() }
        #expect(try grace.open().state.replica.rows.count(.given) > 0)
        server.show = { $0 }
        server.isAway = false
        for machine in [grace, ada] {
            try machine.exchange()
            #expect(try machine.secrets() == ["db": "one"])
        }
    }

    /// The server lost a member's change before an owner, who never saw it, removed the member.
    @Test func anItemThatDoesNotCountAnyMoreGoes() throws {
        let server = MemoryServer()
        let (ada, grace, mallory) = (try Machine(server), try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        try mallory.join(ada, "mallory")
        try grace.exchange()
        let backup = server.backup
        try mallory.add("db", "one")
        try mallory.exchange()
        try grace.exchange()
        #expect(try grace.secrets() == ["db": "one"])
        server.backup = backup
        let device = try mallory.open().card.id
        try ada.open().changeRoster { engine throws(KeychainError) in try engine.remove([device]) }
        try grace.exchange()
        #expect(try grace.secrets().isEmpty)
        #expect(try ada.exchange().findings.isEmpty)
    }

    /// The team's item of the same names waits, through exchanges that change nothing, until the own one is gone.
    @Test func anItemThatStaysHereHidesTheTeams() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        try grace.add("db", "mine", .whenUnlockedThisDeviceOnly)
        try grace.exchange()
        try ada.add("db", "one")
        try ada.exchange()
        for _ in 0..<2 {
            try grace.exchange()
            #expect(try grace.secrets() == ["db": "mine"])
        }
        try grace.remove("db")
        try grace.exchange()
        #expect(try grace.secrets() == ["db": "one"])
        try ada.exchange()
        #expect(try ada.secrets() == ["db": "one"])
    }

    /// It has logins that were not moved, and an undo on another machine would write it there.
    @Test func aFileAsItWasBeforeASetupStaysHere() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try ada.add("~/.netrc", "all of it", group: "setup")
        try ada.add("db", "one")
        try ada.exchange()
        try grace.join(ada, "grace")
        try grace.exchange()
        #expect(try grace.secrets() == ["db": "one"])
        #expect(try ada.secrets() == ["~/.netrc": "all of it", "db": "one"])
    }

    /// - Parameter sent: The number of records that the next exchange stores.
    @Test(arguments: [(count: 1, sent: 0), (count: SyncPiece.count + 100, sent: 101)])
    func itemsOfAnExchangeThatEndedAreGivenOnce(count: Int, sent: Int) throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        let others = server.records.count
        try grace.store.transaction { () throws(KeychainError) in
            for number in 0..<count {
                try grace.add("s\(number)", "one")
            }
        }
        // The first piece is stored, and the process does not hear of it.
        server.losesAnswer = true
        #expect(throws: KeychainError.self) { try grace.exchange() }
        #expect(try grace.exchange().sent == sent)
        // And her head.
        #expect(server.records.count == others + count + 1)
        try ada.exchange()
        #expect(try ada.secrets() == grace.secrets())
        // And nothing more.
        #expect(try grace.exchange().sent == 0)
    }

    /// The hint for a damaged one is to delete it.
    @Test(arguments: [
        // The first byte of earlier formats, and the last one of SQLite's user_version.
        (0, 1, "has format 1, which no release"), (0, 4, "has format 4, which no release"),
        (63, 5, "has format 5, which no release"), (63, 7, "does not know"),
    ])
    func aFileOfAnotherFormatIsNotCalledDamaged(
        position: Int, format: UInt8, message: String
    ) throws {
        let ada = try Machine(MemoryServer())
        try ada.create()
        let file = URL(filePath: ada.place.file)
        var bytes = try Data(contentsOf: file)
        bytes[position] = format
        try bytes.write(to: file)
        do {
            _ = try ada.open()
            Issue.record("the file was read")
        } catch let error as KeychainError {
            #expect(error.status == .wrongVersion)
            #expect("\(error)".contains(message))
            // Its device's name is taken: only a command that says so works.
            #expect(format == 7 || error.hint?.contains("another --device name") == true)
        }
    }

    @Test func aFileThatIsOpenToOthersIsRefusedWithTheCommandThatMendsIt() throws {
        let ada = try Machine(MemoryServer())
        try ada.create()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: ada.place.file)
        for open in [ada.open, { try SharedKeychain(lookingAt: ada.place, ada.store) }] {
            let error = #expect(throws: KeychainError(.writePermissions)) { try open() }
            #expect(error?.hint == "chmod 600 '\(ada.place.file)'")
        }
    }

    /// A write-ahead log would be read without a check.
    @Test func aReplicaWithALogIsDamaged() throws {
        let ada = try Machine(MemoryServer())
        try ada.create()
        let file = URL(filePath: ada.place.file)
        var bytes = try Data(contentsOf: file)
        (bytes[18], bytes[19]) = (2, 2)
        try bytes.write(to: file)
        let error = #expect(throws: KeychainError.self) { try ada.open() }
        #expect(error?.status == .decode)
        #expect(error?.hint?.contains("leave --offline") == true)
    }

    /// An exchange that is too large for memory, whose server is slow.
    @Test func whoLooksMeanwhileIsToldWhy() throws {
        let ada = try Machine(MemoryServer())
        try ada.create()
        let other = try Database(
            path: ada.place.file,
            errors: Database.Errors("other", invalidFile: KeychainError(.decode)),
            access: .writing, busyTimeout: 0)
        try other.execute("BEGIN EXCLUSIVE")
        let error = #expect(throws: KeychainError.self) {
            try SharedKeychain(lookingAt: ada.place, ada.store)
        }
        #expect(error?.status == .databaseLocked)
        #expect(error.map { "\($0)" }?.contains("are being exchanged") == true)
        try other.execute("ROLLBACK")
        #expect(try SharedKeychain(lookingAt: ada.place, ada.store).isMember)
    }

    @Test func onlyNewItemsCostAnotherQuestion() throws {
        let server = MemoryServer()
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        var count = 0
        server.show = { changes in
            count += 1
            return changes
        }
        for (change, questions) in [
            ({ try grace.add("db", "one") }, 2), ({ try grace.set("db", "two") }, 1),
            ({ try grace.remove("db") }, 1), ({}, 1),
        ] as [(() throws -> Void, Int)] {
            try change()
            count = 0
            try grace.exchange()
            #expect(count == questions)
        }
    }

    /// Random changes on three machines, with exchanges in between: in the end all have the same.
    @Test func machinesAgreeAfterQuiet() throws {
        var random = SeededRandom()
        let server = MemoryServer()
        let machines = [try Machine(server), try Machine(server), try Machine(server)]
        try machines[0].create()
        try machines[1].join(machines[0], "grace")
        try machines[2].join(machines[0], "lin")
        for step in 0..<120 {
            let machine = random.element(of: machines)
            let service = "s\(random.number(below: 6))"
            let isThere = try machine.secrets()[service] != nil
            switch random.number(below: 5) {
            case 0 where isThere: try machine.remove(service)
            case 1, 2: try machine.exchange()
            default:
                if isThere {
                    try machine.set(service, "v\(step)")
                } else {
                    try machine.add(service, "v\(step)")
                }
            }
        }
        for _ in 0..<3 {
            for machine in machines {
                try machine.exchange()
            }
        }
        let secrets = try machines.map { try $0.secrets() }
        #expect(secrets[0] == secrets[1])
        #expect(secrets[1] == secrets[2])
        let report = try machines[0].exchange()
        #expect((report.sent, report.received) == (0, 0))
    }
}
