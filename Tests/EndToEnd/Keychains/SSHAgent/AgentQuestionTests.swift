import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// The questions of `lanyard-ssh-agent` before a signature, answered by an askpass program.
@Suite(.timeLimit(.minutes(5)))
struct AgentQuestionTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func variables(_ program: AskpassProgram) -> [String: String?] {
        ["LANYARD_ASKPASS": program.path]
    }

    @Test func consentIsAskedForEachSignature() async throws {
        let key = try await home.makeKey("ed25519", comment: "ada's \u{202E}key")
        let asking = try AskpassProgram(home, answers: ["", "yes", nil, "no"])
        try await home.withAgent(variables: variables(asking)) { agent in
            try await agent.add("-c", key)
            #expect(try await agent.signs(with: "\(key).pub"))
            #expect(try await agent.signs(with: "\(key).pub"))
            #expect(try await !agent.signs(with: "\(key).pub"))
            #expect(try await !agent.signs(with: "\(key).pub"))
        }
        let fingerprint = try await home.succeeds("ssh-keygen", "-lf", "\(key).pub").outputText
            .split(separator: " ")[1]
        let program = try await home.shell("readlink -f \"$(command -v ssh-keygen)\"").outputText
            .dropLast()
        let questions = try asking.questions()
        #expect(questions.count == 4)
        for question in questions {
            #expect(
                question == """
                    Allow \(program) to use the SSH key 'ada's \\u{202E}key'?
                    \(fingerprint)
                    """)
        }
        for environment in try asking.environments() {
            #expect(environment.contains("SSH_ASKPASS_PROMPT=confirm\0"))
            #expect(environment.contains("LANYARD_NO_PROMPT=1\0"))
        }
    }

    @Test func nobodyToAskMeansNo() async throws {
        let key = try await home.makeKey("ed25519")
        let errors = try await home.withAgent { agent in
            try await agent.add("-c", key)
            #expect(try await !agent.signs(with: "\(key).pub"))
        }
        #expect(errors.contains("lanyard: error: lanyard can't prompt here"))
    }

    @Test func promptsCanBeForbidden() async throws {
        let key = try await home.makeKey("ed25519")
        let asking = try AskpassProgram(home, answers: ["yes"])
        var variables = variables(asking)
        variables["LANYARD_NO_PROMPT"] = "1"
        try await home.withAgent(variables: variables) { agent in
            try await agent.add("-c", key)
            #expect(try await !agent.signs(with: "\(key).pub"))
        }
        #expect(try asking.questions().isEmpty)
    }

    /// While a question is open, the agent serves other clients; a second question waits for its turn; and a
    /// client that goes away takes its question along.
    @Test func questionKeepsNobodyElseWaiting() async throws {
        let asked = try await home.makeKey("ed25519", comment: "asks")
        let other = try await home.makeKey("ecdsa", comment: "does not")
        let asking = try AskpassProgram(
            home, answers: ["yes"],
            before: "until [ -e \"$folder/go\" ]; do sleep 0.05; done")
        let folder = asking.path.dropLast("/askpass".count)
        try await home.withAgent(variables: variables(asking)) { [home] agent in
            try await agent.add("-c", asked)
            try await agent.add(other)
            async let first = agent.signs(with: "\(asked).pub")
            try await waitForQuestion(1, asking)
            async let second = agent.signs(with: "\(asked).pub")
            #expect(try await agent.list().count == 2)
            #expect(try await agent.signs(with: "\(other).pub"))
            #expect(try asking.questions().count == 1)
            _ = try home.write("", to: "\(folder.dropFirst(home.path.count + 1))/go")
            #expect(try await first)
            #expect(try await second)
            #expect(try asking.questions().count == 2)
        }
    }

    @Test func clientThatGoesTakesItsQuestionAlong() async throws {
        let key = try await home.makeKey("ed25519")
        let asking = try AskpassProgram(home, answers: ["yes"], before: "sleep 100 & wait")
        try await home.withAgent(variables: variables(asking)) { [home] agent in
            try await agent.add("-c", key)
            // Without the private key's file beside it.
            try await home.shell("mv \"$1\" \"$1.moved\"", key)
            for number in 1...2 {
                // Until it is asked.
                let outcome = try await agent.run(
                    "sh", "-c",
                    """
                    ssh-keygen -q -Y sign -n file -f "$1" &
                    until [ -s "$2/core" ]; do sleep 0.02; done
                    kill $!
                    wait $!
                    """, "sh", "\(key).pub", asking.call(number - 1))
                #expect(outcome.status == 128 + SIGTERM, "\(outcome)")
                #expect(try asking.questions().count == number)
            }
        }
    }

    private func waitForQuestion(_ count: Int, _ asking: AskpassProgram) async throws {
        // A question's file may not be there yet.
        for _ in 0..<1500 where ((try? asking.questions().count) ?? 0) < count {
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
