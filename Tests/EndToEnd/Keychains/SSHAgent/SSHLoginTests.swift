import Foundation
import Testing
@testable import EndToEndRig

/// Logins of real ssh at a real sshd, through `lanyard-ssh-agent`.
@Suite(.timeLimit(.minutes(5)), .needs(.sshServer))
struct SSHLoginTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test(arguments: AddedKeyTests.types)
    func storedKeyLogsIn(_ type: String, _ options: [String]) async throws {
        let key =
            try await options.isEmpty
            ? home.makeKey(type) : home.makeKey(type, options[0], options[1])
        try home.storeKey(key)
        let server = try await SSHServer(home, keys: ["\(key).pub"])
        let publicKey = try home.publicKeyAlone("\(key).pub")
        try await home.withAgent { agent in
            let outcome = try await server.run("echo in", through: agent, key: publicKey)
            #expect(outcome.status == 0, "\(outcome)\n\(server.log())")
            #expect(outcome.outputText == "in\n")
            // And if ssh takes whatever the agent has.
            let offered = try await server.run("echo in", through: agent)
            #expect(offered.outputText == "in\n", "\(offered)")
        }
    }

    @Test func otherKeyDoesNotLogIn() async throws {
        let keys = [try await home.makeKey("ed25519"), try await home.makeKey("ed25519")]
        try home.storeKey(keys[0])
        let server = try await SSHServer(home, keys: ["\(keys[1]).pub"])
        try await home.withAgent { agent in
            let outcome = try await server.run("echo in", through: agent)
            #expect(outcome.status == 255 && outcome.output.isEmpty, "\(outcome)")
        }
    }

    /// ssh binds each connection to its session, with the server's signature of either kind of key.
    @Test(arguments: ["ssh-ed25519", "ecdsa-sha2-nistp256"])
    func connectionIsBoundToTheSession(_ hostKey: String) async throws {
        let key = try await home.makeKey("ed25519")
        try home.storeKey(key)
        let server = try await SSHServer(home, keys: ["\(key).pub"])
        try await home.withAgent { agent in
            let outcome = try await server.run(
                "echo in", through: agent, "-v", "-o", "HostKeyAlgorithms=\(hostKey)")
            #expect(outcome.outputText == "in\n", "\(outcome)")
            #expect(!outcome.errorText.contains("agent refused"), "\(outcome)")
            #expect(
                outcome.errorText.contains("bound agent to hostkey"), "\(outcome.errorText)")
        }
    }

    /// From one host to the next, the second login with the agent of the first: the question says so.
    @Test func forwardedAgentLogsInFurther() async throws {
        let key = try await home.makeKey("ed25519")
        let server = try await SSHServer(home, keys: ["\(key).pub"])
        let asking = try AskpassProgram(home, answers: ["yes"])
        try await home.withAgent(variables: ["LANYARD_ASKPASS": asking.path]) { [home] agent in
            try await agent.add("-c", key)
            let next = (["ssh"] + server.options() + ["root@test", "echo further"])
                .map { "'\($0)'" }.joined(separator: " ")
            let outcome = try await server.run(
                "PATH=/usr/bin:/bin:/usr/sbin; ssh-add -L && \(next)", through: agent, "-A")
            #expect(outcome.status == 0, "\(outcome)\n\(server.log())")
            #expect(outcome.outputText == "\(try home.publicLine(key))\nfurther\n")
            let questions = try asking.questions()
            #expect(questions.count == 2)
            #expect(questions.first?.hasPrefix("Allow /usr/bin/ssh to use") == true)
            #expect(
                questions.last?.hasPrefix("Allow another host, through /usr/bin/ssh, to use")
                    == true, "\(questions)")
        }
    }
}
