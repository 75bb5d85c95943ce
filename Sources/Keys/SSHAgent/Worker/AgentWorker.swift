internal import KeychainServices

/// Does a piece of the agent's work, in a process of its own.
struct AgentWorker {
    let keys: any StoredKeys
    let signing: any KeySigning
    /// Asks the user to allow something.
    let confirm: ([String]) throws(KeychainError) -> Bool

    /// Does it.
    ///
    /// - Parameter report: Gets what failed; a key that is missing, and a question that is left to another
    ///   process, are no failures.
    func answer(
        _ request: WorkerRequest, reporting report: (KeychainError) -> Void
    ) -> WorkerAnswer {
        do throws(KeychainError) {
            switch request {
            case .list: return .identities(try keys.identities())
            case .sign(let request, let requester, let mayAsk):
                return try sign(request, requester, mayAsk: mayAsk)
            case .confirm(let identity, let requester):
                return try confirm(question(identity, requester)) ? .confirmed : .refused
            }
        } catch {
            if error.status != .itemNotFound {
                report(error)
            }
            return .refused
        }
    }

    private func sign(
        _ request: SignRequest, _ requester: Requester, mayAsk: Bool
    ) throws(KeychainError) -> WorkerAnswer {
        do throws(KeychainError) {
            return .signature(
                try keys.sign(
                    request,
                    reason: { "\(requester.description) wants to use the SSH key '\($0)'" },
                    mayAsk: mayAsk))
        } catch  where !mayAsk && error.status == .interactionNotAllowed {
            return .mustAsk
        }
    }

    private func question(_ identity: Identity, _ requester: Requester) -> [String] {
        [
            "Allow \(requester.description) to use the SSH key '\(identity.comment)'?",
            signing.fingerprint(of: identity.publicKey),
        ]
    }
}
