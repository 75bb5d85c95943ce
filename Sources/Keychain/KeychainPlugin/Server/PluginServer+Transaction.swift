internal import KeychainServices
internal import StrictJSON

extension PluginServer {
    /// Begins a transaction, and carries out requests until one ends it.
    func transaction(_ request: PluginRequest, _ keychain: Served) throws(KeychainError) {
        try checkNoWalk()
        guard openTransactions < PluginProtocol.nestingLimit else {
            throw KeychainError(.param, "too many nested transactions")
        }
        var last = request
        var isTakenBack = false
        do throws(KeychainError) {
            try keychain.transaction { () throws(KeychainError) in
                openTransactions += 1
                defer { openTransactions -= 1 }
                answer(request.id)
                // The input has ended: nothing may stay.
                guard let end = endOfTransaction() else {
                    throw KeychainError(.userCanceled)
                }
                begin(end, keychain)
                last = end
                if end.method == .rollback {
                    isTakenBack = true
                    throw KeychainError(.userCanceled)
                }
            }
        } catch {
            if !isEnded, !isTakenBack {
                answer(last.id, error)
            }
            guard isTakenBack else {
                return
            }
        }
        answer(last.id)
    }

    /// Answers requests until one ends the transaction.
    private func endOfTransaction() -> PluginRequest? {
        while let request = nextRequest() {
            guard request.method != .commit, request.method != .rollback else {
                return request
            }
            carryOut(request)
        }
        return nil
    }
}
