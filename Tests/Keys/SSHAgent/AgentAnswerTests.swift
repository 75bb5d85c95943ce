import KeychainServices
import Testing

@testable import SSHAgent

@Suite struct AgentAnswerTests {
    @Test(arguments: [
        (AgentAnswer.success, Message(6)),
        (.failure, Message(5)),
        (.extensionFailure, Message(28)),
        (.signature("abc"), Message(14).string("abc")),
        (.identities([]), Message(12).number(0)),
        (
            .identities([Identity(publicKey: "k", comment: "c")]),
            Message(12).number(1).string("k").string("c")
        ),
        (.extensions(["a", "b"]), Message(29).string("query").string("a").string("b")),
    ])
    func answerIsWritten(_ answer: AgentAnswer, _ expected: Message) {
        #expect(answer.message.array() == expected.bytes)
    }

    @Test func listFitsIntoAMessage() {
        let large = ByteString([UInt8](repeating: 1, count: 1000))
        let many = (0..<3000).map { _ in Identity(publicKey: large, comment: "c") }
        let message = AgentAnswer.identities(many).message.array()
        #expect(message.count <= FrameReader.limit)
        let count = message[1..<5].reduce(0) { $0 << 8 | Int($1) }
        #expect(message.count == 5 + count * 1009)
        #expect(message.count + 1009 > FrameReader.limit)
        // That of a process, too, of which more would be dropped as a whole.
        #expect(WorkerAnswer.identities(many).message.count <= FrameReader.limit + 1)
        let small = (0..<3000).map { _ in Identity(publicKey: "k", comment: "") }
        #expect(AgentAnswer.identities(small).message.array()[1..<5] == [0, 0, 8, 0])
    }

    @Test(arguments: [
        WorkerRequest.list,
        .sign(
            SignRequest(publicKey: "k", data: "d", flags: .sha512),
            Requester(program: "/usr/bin/ssh", isForwarded: true), mayAsk: true),
        .sign(
            SignRequest(publicKey: "", data: "", flags: []),
            Requester(program: nil, isForwarded: false),
            mayAsk: false),
        .confirm(
            Identity(publicKey: "k", comment: "c"),
            Requester(program: "/usr/bin/git", isForwarded: false)),
    ])
    func workerRequestReturns(_ request: WorkerRequest) throws {
        #expect(try WorkerRequest(parsing: request.message) == request)
    }

    @Test(arguments: [
        WorkerAnswer.identities([]),
        .identities([
            Identity(publicKey: "k", comment: "c"), Identity(publicKey: "l", comment: ""),
        ]),
        .signature("s"), .mustAsk, .confirmed, .refused,
    ])
    func workerAnswerReturns(_ answer: WorkerAnswer) throws {
        #expect(try WorkerAnswer(parsing: answer.message) == answer)
        #expect(throws: KeychainError(.param)) {
            try WorkerAnswer(
                parsing: Secret(copying: (answer.message.array() + [0]).span))
        }
    }
}
