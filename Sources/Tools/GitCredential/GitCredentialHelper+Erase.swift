public import KeychainServices

extension GitCredentialHelper {
    /// Erases every login that equals all fields of a request, password and credential included.
    ///
    /// In a locked keychain, unread items are not erased. Finding nothing is not an error. A request
    /// without a protocol or a host erases nothing, because it would match the logins of every host. git itself
    /// does not send such a request.
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
                // Another program may have deleted it meanwhile.
                try KeychainError.ignoring(.itemNotFound) { () throws(KeychainError) in
                    try keychain.delete(Query(reference))
                }
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
