internal import KeychainServices
internal import LinuxSystem

/// The agent itself: what it answers to which request, apart from sockets and processes.
///
/// It has the keys that clients added. What concerns the keychain, and every question to the user, it hands
/// to a process that ends afterwards.
final class Agent {
    /// What a request leads to.
    enum Step: Hashable {
        case answer(AgentAnswer)
        /// An answer after some milliseconds.
        case delayed(AgentAnswer, Int64)
        case work(AgentWork)
    }

    private let signing: any KeySigning
    private let secondsSinceBoot: () -> UInt64
    private var added = AddedKeys()
    private var lock: AgentLock?
    private var mistakes = 0
    private var pause: Deadline?

    /// Each wrong password makes the next one wait longer, in milliseconds.
    private static let pauses: (step: Int64, most: Int64) = (100, 10_000)

    init(
        signing: any KeySigning,
        secondsSinceBoot: @escaping () -> UInt64 = SystemCalls.secondsSinceBoot
    ) {
        self.signing = signing
        self.secondsSinceBoot = secondsSinceBoot
    }

    /// Forgets the keys in memory whose time has passed.
    ///
    /// - Returns: In how many seconds the next one ends; nil for never.
    func removeEndedKeys() -> UInt64? {
        let now = secondsSinceBoot()
        return added.removeEnded(now: now).map { $0 - now }
    }

    /// Takes a message of a client.
    func take(_ message: consuming Secret, from connection: inout AgentConnection) -> Step {
        let request: AgentRequest
        do throws(KeychainError) {
            request = try AgentRequest(parsing: message)
        } catch {
            return .answer(.failure)
        }
        _ = removeEndedKeys()
        guard lock == nil else {
            return takeWhileLocked(request, &connection)
        }
        switch request {
        case .requestIdentities: return .work(AgentWork(request: .list, purpose: .list))
        case .sign(let request): return sign(request, connection)
        case .add(let new): return .answer(add(new))
        case .remove(let publicKey): return .answer(added.remove(publicKey) ? .success : .failure)
        case .removeAll:
            added.removeAll()
            return .answer(.success)
        case .lock(let password): return .answer(lock(password))
        case .unlock: return .answer(.failure)
        case .unsupported: return .answer(.failure)
        case .query: return .answer(.extensions(AgentRequest.extensions))
        case .bindSession(let binding): return bind(binding, &connection)
        }
    }

    /// Takes what a process answered, nil if it failed.
    func finish(_ work: AgentWork, _ answer: WorkerAnswer?) -> Step {
        switch work.purpose {
        case .list: .answer(list(answer))
        case .signStored(let request, let requester): signStored(request, requester, answer)
        case .signAdded(let request): .answer(signAdded(request, answer))
        }
    }

    private func takeWhileLocked(
        _ request: consuming AgentRequest, _ connection: inout AgentConnection
    ) -> Step {
        switch request {
        case .requestIdentities: .answer(.identities([]))
        case .unlock(let password): unlock(password)
        // The connection can outlast the lock.
        case .bindSession(let binding): bind(binding, &connection)
        default: .answer(.failure)
        }
    }

    private func bind(_ binding: SessionBinding, _ connection: inout AgentConnection) -> Step {
        let isBound = connection.bindings.add(binding) { binding in
            signing.isSignature(
                binding.signature, of: binding.session, by: binding.hostKey)
        }
        return .answer(isBound ? .success : .extensionFailure)
    }

    private func add(_ new: borrowing NewKey) -> AgentAnswer {
        do throws(KeychainError) {
            try signing.check(new.key)
            try added.add(AddedKey(new, now: secondsSinceBoot()))
            return .success
        } catch {
            return .failure
        }
    }

    private func lock(_ password: borrowing Secret) -> AgentAnswer {
        guard password.count > 0 else {
            return .failure
        }
        do throws(KeychainError) {
            let opened = try AgentLock.make(password: password)
            try added.seal(under: opened.key)
            lock = opened.lock
            return .success
        } catch {
            // What could not be encrypted is forgotten: the user wants no usable key here.
            added.removeAll()
            return .failure
        }
    }

    private func unlock(_ password: borrowing Secret) -> Step {
        guard let lock, pause?.hasPassed != false, password.count > 0 else {
            return .answer(.failure)
        }
        do throws(KeychainError) {
            let key = try lock.key(password: password)
            try added.open(under: key)
            self.lock = nil
            mistakes = 0
            pause = nil
            return .answer(.success)
        } catch {
            mistakes += 1
            let wait = min(Int64(mistakes) * Agent.pauses.step, Agent.pauses.most)
            pause = Deadline(milliseconds: wait)
            return .delayed(.failure, wait)
        }
    }
}

// Lists and signatures.
extension Agent {
    private func list(_ answer: WorkerAnswer?) -> AgentAnswer {
        guard lock == nil else {
            return .identities([])
        }
        var identities = added.identities
        if case .identities(let stored) = answer {
            identities += stored.filter { added[$0.publicKey] == nil }
        }
        return .identities(identities)
    }

    private func sign(_ request: SignRequest, _ connection: AgentConnection) -> Step {
        guard connection.bindings.permit(request.data) else {
            return .answer(.failure)
        }
        let requester = connection.requester
        guard let key = added[request.publicKey] else {
            return .work(
                AgentWork(
                    request: .sign(request, requester, mayAsk: false),
                    purpose: .signStored(request, requester)))
        }
        guard key.isConfirmed else {
            return .answer(signAdded(request, .confirmed))
        }
        return .work(
            AgentWork(
                request: .confirm(key.identity, requester), purpose: .signAdded(request)))
    }

    private func signStored(
        _ request: SignRequest, _ requester: Requester, _ answer: WorkerAnswer?
    ) -> Step {
        switch answer {
        case .signature(let signature) where lock == nil: .answer(.signature(signature))
        case .mustAsk where lock == nil:
            .work(
                AgentWork(
                    request: .sign(request, requester, mayAsk: true),
                    purpose: .signStored(request, requester)))
        default: .answer(.failure)
        }
    }

    private func signAdded(_ request: SignRequest, _ answer: WorkerAnswer?) -> AgentAnswer {
        _ = removeEndedKeys()
        guard answer == .confirmed, lock == nil, let key = added[request.publicKey] else {
            return .failure
        }
        do throws(KeychainError) {
            return .signature(try signing.sign(request, with: try key.privateKey()))
        } catch {
            return .failure
        }
    }
}
