public import KeychainServices

extension GitCredentialHelper {
    /// Erases every login that equals all fields of a request, password and credential included.
    ///
    /// What can't be read, as the keychain is locked, is not erased unseen. That nothing is found is no
    /// error. A request without a protocol or a host erases nothing: the wildcard would erase the logins of
    /// every host. git itself does not send such a request.
    ///
    /// - Throws: What the keychain throws.
    ///
    /// The corresponding operation of a credential helper is `erase`.
    public func erase(_ request: borrowing GitCredentialRequest) throws(KeychainError) {
        guard request.protocol != nil, request.host != nil, try !findAll(request).isEmpty else {
            return
        }
        try keychain.transaction { () throws(KeychainError) in
            for reference in try findAll(request) {
                try delete(reference)
            }
        }
    }

    /// In a store that can't keep others out meanwhile, the item may be gone: that is as well.
    private func delete(_ reference: ItemReference) throws(KeychainError) {
        do throws(KeychainError) {
            try keychain.delete(Query(reference))
        } catch {
            guard error.status == .itemNotFound else {
                throw error
            }
        }
    }

    private func findAll(
        _ request: borrowing GitCredentialRequest
    ) throws(KeychainError) -> [ItemReference] {
        let login = request.loginToErase()
        var found: [ItemReference] = []
        try forEachItem(request.wanted, returns: [.reference, .data]) { item in
            if let reference = item.reference, login.hasSameKeys(as: item.login()) {
                found.append(reference)
            }
            return .next
        }
        return found
    }
}
