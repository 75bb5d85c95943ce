import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// Another program keeps the keychain locked.
@Suite(.needs(.sqlite), .timeLimit(.minutes(10)))
struct BusyKeychainTests {
    let home: ScratchHome
    let request = "protocol=https\nhost=example.com\nusername=ada\n"
    let answer = "username=ada\npassword=distinctive-secret\n"

    init() async throws {
        home = try ScratchHome()
        try await home.store("\(request)password=distinctive-secret\n")
    }

    /// Runs `body` while another program holds a lock on the keychain.
    private func whileLocked<Result: Sendable>(
        _ begin: String, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let marker = "\(home.path)/locked"
        let command = try home.command(
            "sqlite3", [home.keychain], input: Array("\(begin);\n.shell : >'\(marker)'\n".utf8))
        let (outcome, result) = try await command.run { _ in
            for _ in 0..<2000 where access(marker, F_OK) != 0 {
                try await Task.sleep(for: .milliseconds(25))
            }
            try #require(access(marker, F_OK) == 0, "the keychain could not be locked")
            return try await body()
        }
        #expect(outcome.status == 0, "\(outcome)")
        return result
    }

    @Test func doctorNamesTheCause() async throws {
        let outcome = try await whileLocked("BEGIN EXCLUSIVE") { [home] in
            try await home.lanyard("doctor", "--json")
        }
        let doctor = try Doctor(outcome)
        #expect(doctor.codes.contains("keychain-busy"), "\(doctor)")
    }

    /// NuGet waits 5 seconds and bazel 10, which is as long as others wait for a keychain.
    @Test(arguments: [HelperCall.nuget, .bazel])
    func aClientOfLittlePatience(_ helper: HelperCall) async throws {
        let login = helper.logins[0]
        let call = try home.command(
            helper.helper, login.arguments, input: Array(login.input.utf8))
        let git = try home.command("git-credential-lanyard", ["get"], input: Array(request.utf8))
        try await whileLocked("BEGIN EXCLUSIVE") {
            // git's helper waits on when the other has its answer.
            try await withThrowingTaskGroup(of: Outcome.self) { group in
                for command in [git, call] {
                    group.addTask { try await command.run() }
                }
                let first = try #require(try await group.next())
                #expect(first.command.program == helper.helper, "\(first)")
                #expect(
                    "\(first)".contains("another program is using the keychain"), "\(first)")
                group.cancelAll()
            }
        }
    }

    /// Codex waits 5 seconds for `lanyard get`.
    @Test func theUserSetsThePatience() async throws {
        try await home.set("codex", secret: "distinctive-token")
        let get = try home.command("lanyard", ["get", "--timeout", "2s", "codex"])
        let git = try home.command("git-credential-lanyard", ["get"], input: Array(request.utf8))
        try await whileLocked("BEGIN EXCLUSIVE") {
            try await withThrowingTaskGroup(of: Outcome.self) { group in
                for command in [git, get] {
                    group.addTask { try await command.run() }
                }
                let first = try #require(try await group.next())
                #expect(first.command.program == "lanyard", "\(first)")
                #expect(
                    "\(first)".contains("another program is using the keychain"), "\(first)")
                group.cancelAll()
            }
        }
    }

    @Test func waitingHasAnEnd() async throws {
        let before = try Snapshot(home.lanyard)
        try await whileLocked("BEGIN EXCLUSIVE") { [home, request] in
            try await withThrowingTaskGroup(of: (Outcome, Duration).self) { group in
                for operation in ["get", "store", "erase"] {
                    group.addTask {
                        let input =
                            operation == "store" ? "\(request)password=distinctive-new\n" : request
                        let start = ContinuousClock.now
                        let outcome = try await home.helper(operation, input: input)
                        return (outcome, ContinuousClock.now - start)
                    }
                }
                for try await (outcome, time) in group {
                    expectRefusal(
                        outcome, "another program is using the keychain '\(home.keychain)'",
                        secret: "distinctive")
                    // It waits for ten seconds, and not for ever, however busy the machine is.
                    #expect(time > .seconds(9.5) && time < .seconds(60), "\(time): \(outcome)")
                }
            }
        }
        let after = try Snapshot(home.lanyard)
        #expect(after.differences(from: before) == [])
        try await home.expectGet(request, answer)
        try await home.store("\(request)password=distinctive-new\n")
        try await home.expectGet(request, "username=ada\npassword=distinctive-new\n")
    }

    @Test func aShortWaitEndsWell() async throws {
        let start = ContinuousClock.now
        let waiting = try await whileLocked("BEGIN EXCLUSIVE") { [home, request] in
            let other = request.replacing("example.com", with: "example.org")
            let calls = [("get", request), ("store", "\(other)password=distinctive-new\n")]
            let tasks = calls.map { operation, input in
                Task {
                    let outcome = try await home.helper(operation, input: input)
                    return (outcome, ContinuousClock.now)
                }
            }
            try await Task.sleep(for: .seconds(1.5))
            return tasks
        }
        for (task, expected) in zip(waiting, [answer, ""]) {
            let (outcome, end) = try await task.value
            expectAnswer(outcome, expected)
            #expect(end - start > .seconds(1.5), "it did not wait")
        }
        try await home.expectGet(
            request.replacing("example.com", with: "example.org"),
            "username=ada\npassword=distinctive-new\n")
    }

    /// Who is about to write does not keep anybody from reading.
    @Test func aWriterDoesNotHoldUpAReader() async throws {
        try await whileLocked("BEGIN IMMEDIATE") { [home, request, answer] in
            // Had it waited, its ten seconds would end in a refusal.
            try await home.expectGet(request, answer)
        }
    }
}
