import Foundation
import TestSupport
import Testing
@testable import EndToEndRig

/// Teams on a real PostgreSQL server that is killed, or replaced by one that lacks the last changes.
@Suite(
    "Torture of teams",
    .enabled(if: ScratchPostgreSQL.programs != nil, "there is no PostgreSQL server"), .serialized)
struct TeamTorture {
    private func machine(
        _ person: String, _ address: String
    ) async throws -> TeamMachine {
        let machine = try await TeamMachine(person)
        try await machine.home.set(
            address, secret: try #require(ScratchPostgreSQL.passwords["ada"]))
        return machine
    }

    /// The standby lags when the server is lost: it lacks writes that were acknowledged, and a new member. Every device
    /// notices that, and the new server gets all of it.
    @Test func aPromotedStandbyThatLaggedGetsWhatItLacks() async throws {
        let primary = try ScratchPostgreSQL()
        let first = primary.address()
        let (ada, grace) = (
            try await machine("ada", first),
            try await machine("grace", first)
        )
        try await ada.set("db", "old")
        expect(try await ada.home.lanyard("team", "init", first))
        let standby = try ScratchPostgreSQL(from: primary)
        // The password is that of the first one's address.
        let both = first.replacing("/team", with: ",127.0.0.1:\(standby.port)/team")
        try await ada.create(both)
        try await grace.join(ada, both)
        let known = try primary.sql("SELECT max(sequence) FROM lanyard_records", database: "team")
        for _ in 0..<400
        where try standby.sql("SELECT max(sequence) FROM lanyard_records", database: "team")
            != known
        {
            try await Task.sleep(for: .milliseconds(25))
        }
        // From here on it gets nothing.
        try standby.sql("ALTER SYSTEM SET primary_conninfo = ''")
        try standby.sql("SELECT pg_reload_conf()")
        for _ in 0..<400 where try standby.sql("SELECT count(*) FROM pg_stat_wal_receiver") != "0" {
            try await Task.sleep(for: .milliseconds(25))
        }

        let lin = try await machine("lin", first)
        try await lin.join(ada, both)
        for number in 0..<5 {
            try await ada.set("ada-\(number)", "one")
            try await grace.set("grace-\(number)", "two")
        }
        try await lin.set("db", "new")
        try await ada.succeeds("sync")
        try await grace.succeeds("sync")
        try await lin.succeeds("sync")
        for machine in [ada, grace, lin] {
            let status = try await machine.home.json(
                "team", "status", "--json", "--keychain", "work")
            #expect(status.members["waiting"] == 0)
        }

        try primary.kill()
        try standby.sql("SELECT pg_promote()")
        #expect(
            try standby.sql("SELECT max(number) FROM lanyard_roster", database: "team") == "1")
        #expect(
            try Int(
                standby.sql("SELECT max(sequence) FROM lanyard_records", database: "team"))
                == Int(known))
        // Whoever comes first gives back what it knows: here a member that owns nothing.
        let report = try await grace.team("sync")
        #expect(report.status == 0, "\(report)")
        #expect(report.errorText.contains("server was older than at the last exchange"))
        for machine in [lin, ada, grace, lin, ada] {
            try await machine.succeeds("sync")
        }
        for machine in [ada, grace, lin] {
            #expect(try await machine.secret("db") == "new")
            for number in 0..<5 {
                #expect(try await machine.secret("ada-\(number)") == "one")
                #expect(try await machine.secret("grace-\(number)") == "two")
            }
            let members = try await machine.home.json(
                "team", "members", "--json", "--keychain", "work")
            #expect(members.elements.map { $0.members["person"] } == ["ada", "grace", "lin"])
        }
        let quiet = try await ada.team("sync")
        #expect(quiet.errorText == "lanyard: 0 received, 0 sent\n")
    }

    /// Fifty machines, each with its own home, store and exchange at once, and the server is killed in the middle.
    @Test func fiftyMachinesLoseNothing() async throws {
        let server = try ScratchPostgreSQL()
        let address = server.address()
        let ada = try await machine("ada", address)
        try await ada.create(address)
        var machines = [ada]
        for number in 1..<50 {
            let other = try await machine("p\(number)", address)
            try await other.join(ada, address)
            machines.append(other)
        }
        try await withThrowingTaskGroup { group in
            for (index, machine) in machines.enumerated() {
                group.addTask {
                    for number in 0..<3 {
                        try await machine.set("m\(index)-\(number)", "secret \(number)")
                        try await machine.set("shared", "from \(index)")
                        // It may fail: the server is away for a while.
                        _ = try await machine.team("sync", "--quiet")
                    }
                }
            }
            group.addTask {
                for _ in 0..<3 {
                    try await Task.sleep(for: .seconds(2))
                    try server.kill()
                    try server.start()
                }
            }
            try await group.waitForAll()
        }
        // Two rounds: in the first one the later ones give what the earlier ones get in the second.
        for machine in machines + machines {
            try await machine.succeeds("sync", "--quiet")
        }
        let shared = try await ada.secret("shared")
        for machine in machines {
            #expect(try await machine.secret("shared") == shared)
            let items = try await machine.home.json("list", "--json", "--keychain", "work")
            #expect(items.elements.count == 151)
        }
    }

    private func expect(_ outcome: Outcome) {
        #expect(outcome.status == 0, "\(outcome)")
    }
}
