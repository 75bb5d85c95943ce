import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// A process that is killed at any moment loses nothing that was acknowledged.
@Suite(.needs(.sqlite), .serialized, .timeLimit(.minutes(10)))
struct KilledProcessesTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func server(_ number: Int) -> String {
        "protocol=https\nhost=host-\(number).example\nusername=ada\n"
    }

    /// Stores a login and is killed some time after it began.
    ///
    /// - Returns: Whether the store was acknowledged, nil if it was killed before that.
    private func storeAndKill(
        _ number: Int, after delay: Duration, in home: ScratchHome
    ) async throws -> Bool? {
        // A file as input: the helper must not wait for us when it is killed.
        let input = try home.write("\(server(number))password=secret-\(number)\n", to: "request")
        let command = try home.command(
            "sh", ["-c", "exec git-credential-lanyard store <\"$1\"", "sh", input])
        let (outcome, _) = try await command.run { process in
            try await Task.sleep(for: delay, tolerance: .zero)
            kill(process, SIGKILL)
        }
        guard let status = outcome.status else {
            return nil
        }
        #expect(status == 0, "\(outcome)")
        return status == 0
    }

    @Test func killedStoresLoseNothing() async throws {
        try await home.store("\(server(0))password=secret-0\n")
        var acknowledged = [0]
        var killed: [Int] = []
        var number = 0
        // The delays follow how long a store takes here: about every other one is killed.
        var longest = 8.0
        while killed.count < 60 || acknowledged.count <= 10 {
            number += 1
            try #require(number < 1000, "only \(killed.count) of 1000 were killed in time")
            let delay = Duration.milliseconds(1) * Double.random(in: 0..<longest)
            if try await storeAndKill(number, after: delay, in: home) == nil {
                killed.append(number)
                longest *= 1.1
            } else {
                acknowledged.append(number)
                longest *= 0.95
            }
        }
        for number in acknowledged {
            try await home.expectGet(
                server(number), "username=ada\npassword=secret-\(number)\n")
        }
        // What was not acknowledged is there whole, or not at all.
        for number in killed {
            let outcome = try await home.helper("get", input: server(number))
            #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
            #expect(
                ["", "username=ada\npassword=secret-\(number)\n"].contains(outcome.outputText),
                "\(outcome)")
        }
        try await home.store("\(server(9999))password=secret-9999\n")
        try await home.expectGet(server(9999), "username=ada\npassword=secret-9999\n")
        #expect(try Snapshot(home.data).contents.keys.sorted() == ["login.keychain"])
        let check = try await home.succeeds("sqlite3", home.keychain, "PRAGMA integrity_check")
        #expect(check.outputText == "ok\n")
    }

    @Test func aKilledFirstStoreLeavesAHomeThatWorks() async throws {
        for number in 0..<25 {
            let home = try ScratchHome()
            let delay = Duration.microseconds(200 * number)
            let acknowledged = try await storeAndKill(number, after: delay, in: home)
            if acknowledged == true {
                try await home.expectGet(
                    server(number), "username=ada\npassword=secret-\(number)\n")
            }
            try await home.store("\(server(number))password=later\n")
            try await home.expectGet(server(number), "username=ada\npassword=later\n")
        }
    }
}
