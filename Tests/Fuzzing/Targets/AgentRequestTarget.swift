import KeychainServices

@testable import SSHAgent

/// What a client sends to the SSH agent: every message is answered with one message, a key is only used by
/// the agent that has it, and how the bytes arrive makes no difference.
enum AgentRequestTarget: FuzzTarget {
    static let name = "agent-request"

    static func run(_ input: [UInt8]) {
        let answers = converse(input, pieces: input.count)
        check(answers == converse(input, pieces: 3), "the answers depend on the pieces")
    }

    private static func converse(_ input: [UInt8], pieces: Int) -> [AgentAnswer] {
        let agent = Agent(signing: OpenSigning()) { 1000 }
        var connection = AgentConnection(program: nil)
        var reader = FrameReader()
        var answers: [AgentAnswer] = []
        var rest = input[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(max(1, min(pieces, reader.wanted))))
            rest.removeFirst(piece.count)
            do throws(KeychainError) {
                switch try reader.add(piece.span) {
                case .some(let message):
                    // Argon2id takes too long here.
                    guard message.withBytes({ $0[0] != MessageNumber.lock }) else {
                        return answers
                    }
                    answers.append(answer(agent.take(message, from: &connection), agent))
                case .none: break
                }
            } catch {
                check(error)
                return answers
            }
        }
        return answers
    }

    /// Does the work as an empty keychain and a user who allows everything would.
    private static func answer(_ step: Agent.Step, _ agent: Agent) -> AgentAnswer {
        switch step {
        case .answer(let answer):
            check(answer.message.count <= FrameReader.limit, "an answer is too long")
            return answer
        case .delayed(let answer, _): return answer
        case .work(let work):
            let request = attempt { () throws(KeychainError) in
                try WorkerRequest(parsing: work.request.message)
            }
            check(request == work.request, "work is handed over as other work")
            return switch work.request {
            case .list: answer(agent.finish(work, .identities([])), agent)
            case .sign: answer(agent.finish(work, .refused), agent)
            case .confirm: answer(agent.finish(work, .confirmed), agent)
            }
        }
    }
}

/// Signatures without mathematics.
private struct OpenSigning: KeySigning {
    func check(_ key: borrowing WirePrivateKey) throws(KeychainError) {}

    func sign(
        _ request: SignRequest, with key: borrowing WirePrivateKey
    ) throws(KeychainError) -> ByteString {
        guard key.publicKey == request.publicKey else {
            fail("another key signs")
        }
        return request.data
    }

    func isSignature(_ signature: ByteString, of data: ByteString, by publicKey: ByteString) -> Bool
    {
        signature == "genuine"
    }

    func fingerprint(of publicKey: ByteString) -> String { "" }
}
