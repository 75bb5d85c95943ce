import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// `lanyard-ssh-agent` with the keys that real ssh-add gives it.
@Suite(.timeLimit(.minutes(5)))
struct AddedKeyTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    static let types: [(String, [String])] = [
        ("ed25519", []), ("rsa", ["-b", "2048"]), ("ecdsa", ["-b", "256"]),
        ("ecdsa", ["-b", "384"]),
        ("ecdsa", ["-b", "521"]),
    ]

    private func makeKey(_ type: String, _ options: [String]) async throws -> String {
        options.isEmpty
            ? try await home.makeKey(type) : try await home.makeKey(type, options[0], options[1])
    }

    @Test(arguments: types)
    func keySignsUntilItIsRemoved(_ type: String, _ options: [String]) async throws {
        let key = try await makeKey(type, options)
        try await home.withAgent { [home] agent in
            #expect(try await agent.list() == [])
            try await agent.add(key)
            #expect(try await agent.list() == [home.publicLine(key)])
            #expect(try await agent.signs(with: "\(key).pub"))
            // An older ssh-add wants SHA-1 of RSA keys, which is refused.
            if type != "rsa" {
                let tested = try await agent.run("ssh-add", "-T", "\(key).pub")
                #expect(tested.status == 0, "\(tested)")
            }
            let fingerprint = try await home.succeeds("ssh-keygen", "-lf", "\(key).pub").outputText
            #expect(try await agent.run("ssh-add", "-l").outputText == fingerprint)
            try await agent.add("-d", "\(key).pub")
            #expect(try await agent.list() == [])
            #expect(try await !agent.signs(with: "\(key).pub"))
        }
    }

    @Test func allKeysAreRemovedTogether() async throws {
        let keys = [try await home.makeKey("ed25519"), try await home.makeKey("ecdsa")]
        try await home.withAgent { [home] agent in
            try await agent.add(keys[0], keys[1])
            #expect(try await agent.list() == keys.map { try home.publicLine($0) })
            try await agent.add("-D")
            #expect(try await agent.list() == [])
        }
    }

    @Test func lifetimeEndsAKey() async throws {
        let keys = [try await home.makeKey("ed25519"), try await home.makeKey("ecdsa")]
        try await home.withAgent { [home] agent in
            try await agent.add("-t", "1h", keys[1])
            try await agent.add("-t", "10", keys[0])
            var offered = try await agent.list()
            #expect(offered.count == 2)
            for _ in 0..<600 where offered.count == 2 {
                try await Task.sleep(for: .milliseconds(100))
                offered = try await agent.list()
            }
            #expect(offered == [try home.publicLine(keys[1])])
        }
    }

    @Test func lockedAgentHasNoKey() async throws {
        let key = try await home.makeKey("ed25519")
        try await home.withAgent { [home] agent in
            try await agent.add(key)
            #expect(try await agent.lock("-x", "word").status == 0)
            #expect(try await agent.list() == [])
            #expect(try await !agent.signs(with: "\(key).pub"))
            #expect(try await agent.run("ssh-add", "-q", key).status != 0)
            let wrong = try await agent.lock("-X", "wrong")
            #expect(wrong.status != 0, "\(wrong)")
            #expect(try await agent.list() == [])
            let right = try await agent.lock("-X", "word")
            #expect(right.status == 0, "\(right)")
            #expect(try await agent.list() == [home.publicLine(key)])
            #expect(try await agent.signs(with: "\(key).pub"))
        }
    }

    @Test func destinationConstraintIsRefused() async throws {
        let key = try await home.makeKey("ed25519")
        let known = try home.write("host.example \(try home.publicLine(key))\n", to: "known")
        try await home.withAgent { agent in
            let outcome = try await agent.run(
                "ssh-add", "-q", "-H", known, "-h", "host.example", key)
            #expect(outcome.status != 0, "\(outcome)")
            #expect(try await agent.list() == [])
        }
    }

    @Test func smartCardIsRefused() async throws {
        try await home.withAgent { agent in
            let outcome = try await agent.run("ssh-add", "-e", "/usr/lib/none.so")
            #expect(outcome.status != 0, "\(outcome)")
        }
    }
}
