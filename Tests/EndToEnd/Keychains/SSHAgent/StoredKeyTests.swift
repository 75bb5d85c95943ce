import Foundation
import KeychainServices
import Testing
@testable import EndToEndRig

/// `lanyard-ssh-agent` with the keys of the keychain.
@Suite(.timeLimit(.minutes(5)))
struct StoredKeyTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test(arguments: AddedKeyTests.types)
    func storedKeySigns(_ type: String, _ options: [String]) async throws {
        let key =
            try await options.isEmpty
            ? home.makeKey(type) : home.makeKey(type, options[0], options[1])
        try home.storeKey(key)
        let errors = try await home.withAgent { [home] agent in
            let keys = try await agent.list()
            #expect(keys == [try home.publicLine(key)])
            #expect(try await agent.signs(with: "\(key).pub"))
            // ssh-add takes nothing out of the keychain.
            let removed = try await agent.run("ssh-add", "-q", "-d", "\(key).pub")
            #expect(removed.status != 0, "\(removed)")
            try await agent.add("-D")
            #expect(try await agent.signs(with: "\(key).pub"))
        }
        #expect(errors == "")
    }

    @Test func importedKeySigns() async throws {
        let key = try await home.makeKey("ed25519", comment: "ada@example")
        let imported = try await home.lanyard("key", "import", "--name", "deploy", key)
        #expect(imported.status == 0, "\(imported)")
        try await home.withAgent { [home] agent in
            let words = try home.publicLine(key).split(separator: " ")
            #expect(try await agent.list() == ["\(words[0]) \(words[1]) deploy"])
            #expect(try await agent.signs(with: "\(key).pub"))
        }
    }

    /// A key that asks takes the passphrase for each signature, also while the keychain is unlocked.
    @Test func keyThatAsksTakesThePassphraseEachTime() async throws {
        let key = try await home.makeKey("ed25519")
        try await home.setPassphrase()
        try await home.forgettingKeys {
            try await home.unlock()
            let imported = try await home.lanyardUnlocked("key", "import", "--ask", key)
            #expect(imported.status == 0, "\(imported)")
            let asking = try AskpassProgram(
                home, answers: ["the passphrase", "the passphrase", nil])
            try await home.withAgent(variables: ["LANYARD_ASKPASS": asking.path]) { agent in
                for number in 1...2 {
                    let isSigned = try await agent.signs(with: "\(key).pub")
                    #expect(isSigned)
                    let questions = try asking.questions()
                    #expect(questions.count == number)
                    #expect(questions.last?.contains("/ssh-keygen wants to use") == true)
                }
                let isSigned = try await agent.signs(with: "\(key).pub")
                #expect(!isSigned)
            }
        }
    }

    @Test func addedKeyIsListedOnceAndItsLimitsCount() async throws {
        let key = try await home.makeKey("ed25519")
        try home.storeKey(key)
        try await home.withAgent { agent in
            try await agent.add("-c", key)
            #expect(try await agent.list().count == 1)
            #expect(try await !agent.signs(with: "\(key).pub"))
            try await agent.add("-d", "\(key).pub")
            #expect(try await agent.signs(with: "\(key).pub"))
        }
    }

    @Test func otherKeysAreNotOffered() async throws {
        let keys = [
            try await home.makeKey("ed25519"), try await home.makeKey("ed25519"),
            try await home.makeKey("ed25519"), try await home.makeKey("ed25519"),
        ]
        try home.storeKey(keys[0], group: "another-program")
        try home.storeKey(keys[1], canSign: false)
        try home.storeKey(keys[2], applicationLabel: "another name")
        try home.storeKey(keys[3], group: "login", withPublicKey: false)
        try await home.withAgent { [home] agent in
            let offered = try await agent.list()
            #expect(offered == [try home.publicLine(keys[3])])
            for key in keys.prefix(3) {
                #expect(try await !agent.signs(with: "\(key).pub"))
            }
        }
    }

    @Test func agentWithoutAKeychainHasNoKey() async throws {
        let errors = try await home.withAgent { agent in
            let offered = try await agent.list()
            #expect(offered == [])
        }
        #expect(errors == "")
        #expect(!FileManager.default.fileExists(atPath: home.keychain))
    }

    @Test func missingKeychainIsReported() async throws {
        let errors = try await home.withAgent(["--keychain", "work"]) { agent in
            let offered = try await agent.list()
            #expect(offered == [])
        }
        #expect(errors.contains("lanyard: error: keychain 'work' not found"))
    }

    @Test func lockedKeychainIsListedAndUnlockedByAQuestion() async throws {
        let keys = [try await home.makeKey("ed25519"), try await home.makeKey("ecdsa")]
        try home.storeKey(keys[0])
        try home.storeKey(keys[1], withPublicKey: false)
        try await home.setPassphrase()
        try await home.forgetKeys()
        try await home.forgettingKeys {
            let asking = try AskpassProgram(home, answers: ["the passphrase"])
            try await home.withAgent(variables: ["LANYARD_ASKPASS": asking.path]) {
                [home] agent in
                let keys = keys
                var offered = try await agent.list()
                #expect(offered == [try home.publicLine(keys[0])])
                #expect(try asking.questions().isEmpty)
                #expect(try await agent.signs(with: "\(keys[0]).pub"))
                let question = try #require(try asking.questions().first)
                #expect(
                    question.contains("/ssh-keygen wants to use the SSH key 'ada's ed25519'"),
                    "\(question)")
                // It stays unlocked, as with every program.
                offered = try await agent.list()
                #expect(offered.count == 2)
                #expect(try await agent.signs(with: "\(keys[1]).pub"))
                #expect(try asking.questions().count == 1)
                _ = try await home.lanyard("lock")
                offered = try await agent.list()
                #expect(offered.count == 1)
            }
        }
    }

    @Test func lockedKeychainWithoutAnyoneToAskFails() async throws {
        let key = try await home.makeKey("ed25519")
        try home.storeKey(key)
        try await home.setPassphrase()
        try await home.forgetKeys()
        let errors = try await home.withAgent { agent in
            let offered = try await agent.list()
            #expect(offered.count == 1)
            let isSigned = try await agent.signs(with: "\(key).pub")
            #expect(!isSigned)
        }
        #expect(errors.contains("is locked, and lanyard can't prompt here"), "\(errors)")
    }

    @Test func lockedAgentListsNoStoredKey() async throws {
        let key = try await home.makeKey("ed25519")
        try home.storeKey(key)
        try await home.withAgent { agent in
            let locked = try await agent.lock("-x", "word")
            #expect(locked.status == 0, "\(locked)")
            let offered = try await agent.list()
            #expect(offered == [])
            #expect(try await !agent.signs(with: "\(key).pub"))
            let unlocked = try await agent.lock("-X", "word")
            #expect(unlocked.status == 0, "\(unlocked)")
            #expect(try await agent.signs(with: "\(key).pub"))
        }
    }

    /// The agent itself never has the key: not even while it is used.
    @Test(.needs(.secretsOfProcesses, .unsanitized))
    func agentsMemoryHasNoStoredKey() async throws {
        let key = try await home.makeKey("ed25519")
        try home.storeKey(key)
        try await home.withAgent { [home] agent in
            for _ in 0..<3 {
                #expect(try await agent.signs(with: "\(key).pub"))
            }
            let bytes = try home.endOfSeed(key)
            #expect(try !memory(of: agent.process, contains: bytes))
            // The search finds what is there.
            try await agent.add(key)
            #expect(try memory(of: agent.process, contains: bytes))
            let locked = try await agent.lock("-x", "word")
            #expect(locked.status == 0, "\(locked)")
            #expect(try !memory(of: agent.process, contains: bytes))
        }
    }
}
