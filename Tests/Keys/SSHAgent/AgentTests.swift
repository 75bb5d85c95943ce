import KeychainServices
import Testing

@testable import SSHAgent

/// An agent with a clock that the test sets.
private final class Rig {
    var now: UInt64 = 1000
    var connection = AgentConnection(program: "/usr/bin/ssh")
    lazy var agent = Agent(signing: FakeSigning()) { [unowned self] in now }

    func ask(_ message: Message) -> Agent.Step {
        agent.take(message.secret, from: &connection)
    }

    /// The list of keys, with what the keychain has.
    func list(stored: [Identity] = []) -> [Identity]? {
        var step = ask(Message(11))
        if case .work(let work) = step {
            step = agent.finish(work, .identities(stored))
        }
        guard case .answer(.identities(let identities)) = step else {
            return nil
        }
        return identities
    }

    func add(_ byte: UInt8, _ constraints: [UInt8] = []) -> Agent.Step {
        ask(
            Message(25).adding(SampleAgentKey.ed25519(byte).bytes).string("key \(byte)")
                .adding(constraints))
    }

    func sign(_ byte: UInt8) -> Agent.Step {
        ask(Message(13).string(SampleAgentKey.ed25519Public(byte)).string("data").number(0))
    }

    static func identity(_ byte: UInt8) -> Identity {
        Identity(
            publicKey: ByteString(SampleAgentKey.ed25519Public(byte)),
            comment: ByteString("key \(byte)")
        )
    }

    static func signature(_ byte: UInt8) -> Agent.Step {
        .answer(.signature(FakeSigning.signature(of: "data", by: identity(byte).publicKey)))
    }
}

@Suite struct AgentTests {
    private let rig = Rig()

    @Test func addedKeySignsUntilItIsRemoved() {
        #expect(rig.list() == [])
        #expect(rig.add(1) == .answer(.success))
        #expect(rig.add(2) == .answer(.success))
        #expect(rig.list() == [Rig.identity(1), Rig.identity(2)])
        #expect(rig.sign(1) == Rig.signature(1))
        let remove = Message(18).string(SampleAgentKey.ed25519Public(1))
        #expect(rig.ask(remove) == .answer(.success))
        #expect(rig.ask(remove) == .answer(.failure))
        #expect(rig.list() == [Rig.identity(2)])
        #expect(rig.ask(Message(19)) == .answer(.success))
        #expect(rig.list() == [])
    }

    @Test func keyWhosePartsDontFitIsRefused() {
        #expect(rig.add(0xEE) == .answer(.failure))
        #expect(rig.list() == [])
    }

    @Test func storedKeysFollowTheAddedOnes() {
        #expect(rig.add(1) == .answer(.success))
        let stored = [
            Identity(publicKey: Rig.identity(1).publicKey, comment: "stored"), Rig.identity(3),
        ]
        #expect(rig.list(stored: stored) == [Rig.identity(1), Rig.identity(3)])
    }

    @Test func listWithoutTheKeychainHasTheAddedKeys() {
        #expect(rig.add(1) == .answer(.success))
        let work = AgentWork(request: .list, purpose: .list)
        #expect(rig.agent.finish(work, nil) == .answer(.identities([Rig.identity(1)])))
    }

    @Test func lifetimeEndsAKey() {
        #expect(rig.add(1, [1, 0, 0, 0, 10]) == .answer(.success))
        #expect(rig.add(2) == .answer(.success))
        #expect(rig.agent.removeEndedKeys() == 10)
        rig.now += 9
        #expect(rig.list() == [Rig.identity(1), Rig.identity(2)])
        rig.now += 1
        #expect(rig.agent.removeEndedKeys() == nil)
        #expect(rig.list() == [Rig.identity(2)])
    }

    @Test func addingAgainReplacesTheLimits() {
        #expect(rig.add(1, [1, 0, 0, 0, 10, 2]) == .answer(.success))
        #expect(rig.add(1) == .answer(.success))
        rig.now += 100
        #expect(rig.list() == [Rig.identity(1)])
        #expect(rig.sign(1) == Rig.signature(1))
    }

    @Test func confirmedKeyAsksEachTime() {
        #expect(rig.add(1, [2]) == .answer(.success))
        let requester = Requester(program: "/usr/bin/ssh", isForwarded: false)
        guard case .work(let work) = rig.sign(1) else {
            Issue.record("the user is asked")
            return
        }
        #expect(work.request == .confirm(Rig.identity(1), requester))
        for answer in [nil, .refused, .mustAsk, .signature("s"), .identities([])] as [WorkerAnswer?]
        {
            #expect(rig.agent.finish(work, answer) == .answer(.failure))
        }
        #expect(rig.agent.finish(work, .confirmed) == Rig.signature(1))
        _ = rig.ask(Message(19))
        #expect(rig.agent.finish(work, .confirmed) == .answer(.failure))
    }

    @Test func storedKeyIsAskedForOnlyIfItMustBe() {
        guard case .work(let quiet) = rig.sign(5) else {
            Issue.record("the keychain is asked")
            return
        }
        #expect(!quiet.request.mayAsk)
        #expect(rig.agent.finish(quiet, .signature("s")) == .answer(.signature("s")))
        #expect(rig.agent.finish(quiet, nil) == .answer(.failure))
        #expect(rig.agent.finish(quiet, .confirmed) == .answer(.failure))
        guard case .work(let asking) = rig.agent.finish(quiet, .mustAsk) else {
            Issue.record("the user is asked")
            return
        }
        #expect(asking.request.mayAsk)
        #expect(rig.agent.finish(asking, .signature("s")) == .answer(.signature("s")))
        #expect(rig.agent.finish(asking, .refused) == .answer(.failure))
    }

    @Test func boundConnectionRefusesOtherData() {
        let signature = FakeSigning.signature(of: "id", by: "host").bytes
        let bind = Message(27).string("session-bind@openssh.com").string("host").string("id")
        #expect(rig.ask(bind.string("forged").byte(0)) == .answer(.extensionFailure))
        #expect(rig.ask(bind.string(signature).byte(0)) == .answer(.success))
        #expect(rig.add(1) == .answer(.success))
        #expect(rig.sign(1) == .answer(.failure))
        let login = Message().string("id").byte(50).bytes
        let sign = Message(13).string(SampleAgentKey.ed25519Public(1)).string(login).number(0)
        #expect(
            rig.ask(sign)
                == .answer(
                    .signature(
                        FakeSigning.signature(
                            of: ByteString(login), by: Rig.identity(1).publicKey))))
    }

    @Test func lockedAgentBinds() {
        let signature = FakeSigning.signature(of: "id", by: "host").bytes
        let bind = Message(27).string("session-bind@openssh.com").string("host").string("id")
        #expect(rig.add(1) == .answer(.success))
        #expect(rig.ask(Message(22).string("password")) == .answer(.success))
        #expect(rig.ask(bind.string(signature).byte(0)) == .answer(.success))
        #expect(rig.ask(Message(23).string("password")) == .answer(.success))
        #expect(rig.sign(1) == .answer(.failure))
    }

    @Test func queryNamesTheExtensions() {
        #expect(
            rig.ask(Message(27).string("query"))
                == .answer(.extensions(["query", "session-bind@openssh.com"])))
        #expect(rig.ask(Message(27).string("other")) == .answer(.failure))
    }

    @Test(arguments: [Message(), Message(0), Message(13), Message(20), Message(21), Message(26)])
    func otherMessageFails(_ message: Message) {
        #expect(rig.ask(message) == .answer(.failure))
    }
}

@Suite(.serialized) struct AgentLockTests {
    private let rig = Rig()
    private let lock = Message(22).string("word")
    private let unlock = Message(23).string("word")

    @Test func lockedAgentDoesNothing() {
        #expect(rig.add(1) == .answer(.success))
        #expect(rig.add(2, [1, 0, 0, 0, 10]) == .answer(.success))
        guard case .work(let work) = rig.sign(5) else {
            Issue.record("the keychain is asked")
            return
        }
        #expect(rig.ask(lock) == .answer(.success))
        #expect(rig.ask(Message(11)) == .answer(.identities([])))
        #expect(rig.sign(1) == .answer(.failure))
        #expect(rig.add(3) == .answer(.failure))
        #expect(rig.ask(Message(19)) == .answer(.failure))
        #expect(rig.ask(Message(27).string("query")) == .answer(.failure))
        #expect(rig.ask(lock) == .answer(.failure))
        #expect(rig.agent.finish(work, .signature("s")) == .answer(.failure))
        #expect(rig.agent.finish(work, .mustAsk) == .answer(.failure))
        rig.now += 10
        #expect(rig.ask(unlock) == .answer(.success))
        #expect(rig.list() == [Rig.identity(1)])
        #expect(rig.sign(1) == Rig.signature(1))
        #expect(rig.ask(unlock) == .answer(.failure))
    }

    @Test func wrongPasswordWaits() {
        #expect(rig.ask(lock) == .answer(.success))
        #expect(rig.ask(Message(23).string("wrong")) == .delayed(.failure, 100))
        // Meanwhile even the right one is refused.
        #expect(rig.ask(unlock) == .answer(.failure))
        #expect(rig.ask(Message(11)) == .answer(.identities([])))
    }

    @Test func emptyPasswordLocksNothing() {
        #expect(rig.ask(Message(22).string("")) == .answer(.failure))
        #expect(rig.add(1) == .answer(.success))
    }

    @Test func keyIsEncryptedWhileLocked() throws {
        let new = try AgentRequest(
            parsing: Message(17).adding(SampleAgentKey.ed25519(1).bytes).string("").secret)
        guard case .add(let key) = new else {
            Issue.record("the request adds a key")
            return
        }
        let added = AddedKey(key, now: 0)
        let opened = try AgentLock.make(password: Secret("word"))
        try added.seal(under: opened.key)
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            _ = try added.privateKey().publicKey
        }
        #expect(throws: KeychainError(.authFailed)) {
            _ = try opened.lock.key(password: Secret("other")).count
        }
        try added.open(under: try opened.lock.key(password: Secret("word")))
        #expect(try added.privateKey().fields.array() == SampleAgentKey.ed25519(1).bytes)
    }
}
