import KeychainServices
import Testing

@testable import SSHAgent

/// A keychain with one key, which may need a question.
private final class OneKey: StoredKeys {
    var needsQuestion = false
    var failure: KeychainError?
    var reasons: [String] = []

    func identities() throws(KeychainError) -> [Identity] {
        if let failure {
            throw failure
        }
        return [Identity(publicKey: "one", comment: "ada's key")]
    }

    func sign(
        _ request: SignRequest, reason: (_ key: ByteString) -> String, mayAsk: Bool
    ) throws(KeychainError) -> ByteString {
        if let failure {
            throw failure
        }
        guard request.publicKey == "one" else {
            throw KeychainError(.itemNotFound)
        }
        reasons.append(reason("ada's key"))
        guard mayAsk || !needsQuestion else {
            throw KeychainError(.interactionNotAllowed)
        }
        return "signature"
    }
}

@Suite struct AgentWorkerTests {
    private let keys = OneKey()
    private let requester = Requester(program: "/usr/bin/ssh", isForwarded: false)

    private func answer(
        _ request: WorkerRequest, consent: Bool? = nil, failures: Int = 0
    ) -> WorkerAnswer {
        var reports = 0
        let worker = AgentWorker(keys: keys, signing: FakeSigning()) {
            lines throws(KeychainError) in
            guard let consent else {
                throw KeychainError(.interactionNotAllowed)
            }
            #expect(
                lines == [
                    "Allow /usr/bin/ssh to use the SSH key 'ada's key'?", "SHA256:fake",
                ])
            return consent
        }
        let answer = worker.answer(request) { _ in reports += 1 }
        #expect(reports == failures)
        return answer
    }

    private func sign(_ key: ByteString, mayAsk: Bool) -> WorkerRequest {
        .sign(SignRequest(publicKey: key, data: "data", flags: []), requester, mayAsk: mayAsk)
    }

    @Test func keysAreListed() {
        #expect(answer(.list) == .identities([Identity(publicKey: "one", comment: "ada's key")]))
        keys.failure = KeychainError(.io)
        #expect(answer(.list, failures: 1) == .refused)
    }

    @Test func keySigns() {
        #expect(answer(sign("one", mayAsk: false)) == .signature("signature"))
        #expect(keys.reasons == ["/usr/bin/ssh wants to use the SSH key 'ada's key'"])
        #expect(answer(sign("other", mayAsk: false)) == .refused)
        keys.failure = KeychainError(.decode)
        #expect(answer(sign("one", mayAsk: false), failures: 1) == .refused)
    }

    @Test func questionIsLeftToAnotherProcess() {
        keys.needsQuestion = true
        #expect(answer(sign("one", mayAsk: false)) == .mustAsk)
        #expect(answer(sign("one", mayAsk: true)) == .signature("signature"))
        keys.failure = KeychainError(.interactionNotAllowed)
        #expect(answer(sign("one", mayAsk: true), failures: 1) == .refused)
    }

    @Test func userAllowsOrDenies() {
        let request = WorkerRequest.confirm(
            Identity(publicKey: "one", comment: "ada's key"), requester)
        #expect(answer(request, consent: true) == .confirmed)
        #expect(answer(request, consent: false) == .refused)
        #expect(answer(request, failures: 1) == .refused)
    }

    @Test func forwardingIsNamed() {
        #expect(
            Requester(program: "/usr/bin/ssh", isForwarded: true).description
                == "another host, through /usr/bin/ssh,")
        #expect(Requester(program: nil, isForwarded: false).description == "an unknown program")
    }
}
