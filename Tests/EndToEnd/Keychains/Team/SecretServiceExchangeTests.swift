#if SecretService
import Foundation
import Testing
@testable import EndToEndRig

/// The Secret Service runs on, and starts the exchange of a shared keychain after each change of a client.
@Suite(.timeLimit(.minutes(5)), .needs(.plugin, .gnomeKeyring, .secretTool))
struct SecretServiceExchangeTests {
    @Test func aClientsChangeReachesTheTeam() async throws {
        let session = try DesktopSession(nil)
        let address = "\(session.home.path)/team"
        try await session.expect("lanyard", "keychain", "create", "work")
        try await session.expect("lanyard", "keychain", "default", "work")
        let created = try await session.run(
            "lanyard", "team", "create", address, "--keychain", "work", "--person", "ada",
            "--device", "a")
        #expect(created.status == 0, "\(created)")
        let file = try #require(
            try await session.run("ls", address).outputText.split(separator: "\n").first)
        try await session.withOwnService { service in
            for command in [
                ["store", "--label=chat", "application", "chat"], ["clear", "application", "chat"],
            ] {
                let before = try session.home.read("\(address)/\(file)")
                let outcome = try await session.home.command(
                    "secret-tool", command, input: Array("s".utf8), variables: session.variables
                ).run()
                #expect(outcome.status == 0, "\(outcome)")
                var after = before
                for _ in 0..<2400 where after == before {
                    try await Task.sleep(for: .milliseconds(25))
                    after = try session.home.read("\(address)/\(file)")
                }
                #expect(after != before, "\(command)")
                // It waits for the exchange to end, and goes on meanwhile.
                for _ in 0..<2400 where try !children(of: service).isEmpty {
                    try await Task.sleep(for: .milliseconds(25))
                }
                #expect(try children(of: service).isEmpty)
            }
        }
    }

    /// The children of a process: proc(5), /proc/PID/task/TID/children.
    private func children(of process: Int32) throws -> String {
        let tasks = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).map {
            // A thread may end meanwhile.
            (try? String(contentsOfFile: "\(tasks)/\($0)/children", encoding: .utf8)) ?? ""
        }.joined()
    }
}
#endif
