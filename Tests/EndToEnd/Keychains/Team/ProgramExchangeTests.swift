import Foundation
import Glibc
import KeychainServices
import Keychains
import Testing
@testable import EndToEndRig

/// A program that uses the library, and knows nothing of teams.
@Suite(.timeLimit(.minutes(5))) struct ProgramExchangeTests {
    let server: ScratchHome
    let ada: TeamMachine

    private var folder: String { "\(server.path)/team" }

    init() async throws {
        server = try ScratchHome()
        ada = try await TeamMachine("ada")
        try await ada.create(folder)
        try await ada.home.succeeds("lanyard", "keychain", "default", "work")
    }

    private func content() throws -> [UInt8] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try server.read("\(folder)/\(#require(names.first { $0.hasSuffix(".team") }))")
    }

    private enum Way: String, CaseIterable, Codable {
        case change, transaction
    }

    @Test(arguments: Way.allCases) private func itsChangesReachTheTeam(_ way: Way) async throws {
        let before = try content()
        let environment = try ada.home.environment()
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).first {
                $0.hasSuffix(".team")
            })
        await #expect(processExitsWith: .success) {
            [
                environment = environment as [String: String], way = way.rawValue as String,
                path = "\(folder)/\(file)" as String
            ] in
            for (name, value) in environment {
                setenv(name, value, 1)
            }
            let keychain = try Keychain.login(accessGroup: "my-program")
            func change() throws(KeychainError) {
                var attributes = ItemAttributes()
                attributes.service = "program"
                attributes.account = ByteString("\(UInt64.random(in: 0 ... .max))")
                try keychain.add(.genericPassword, attributes, secret: Secret("one"))
            }
            let before = try Data(contentsOf: URL(filePath: path))
            if way == "change" {
                try change()
            } else {
                try keychain.transaction { () throws(KeychainError) in
                    for _ in 0..<100 {
                        try change()
                    }
                }
            }
            // It goes on, and starts few processes.
            for _ in 0..<2400 where try Data(contentsOf: URL(filePath: path)) == before {
                usleep(25_000)
            }
            let tasks = "/proc/self/task"
            let children = try FileManager.default.contentsOfDirectory(atPath: tasks).map {
                try String(contentsOfFile: "\(tasks)/\($0)/children", encoding: .utf8)
            }.joined()
            #expect(children.split(separator: " ").count <= 2)
            #expect(try Data(contentsOf: URL(filePath: path)) != before)
        }
        #expect(try content() != before)
        // The exchange goes on for a moment after its last write.
        var waiting: JSONText?
        for _ in 0..<200 where waiting != 0 {
            try await Task.sleep(for: .milliseconds(50))
            waiting = try await ada.home.json("team", "status", "--json", "--keychain", "work")
                .members["waiting"]
        }
        #expect(waiting == 0)
    }
}
