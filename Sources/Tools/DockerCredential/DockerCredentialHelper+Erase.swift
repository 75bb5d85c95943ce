public import KeychainServices

extension DockerCredentialHelper {
    /// Erases the logins of all users for a URL and for its equivalents.
    ///
    /// Finding nothing is not an error. If `get` would still find something, such as a login for a path on
    /// the registry, the hint names it.
    ///
    /// - Parameter request: The URL.
    /// - Throws: ``Status/param``, in docker's own words, for a blank request; what the keychain throws.
    ///
    /// The corresponding function of docker-credential-helpers is `Delete`.
    public func erase(_ request: borrowing Secret) throws(KeychainError) {
        let asked = try RegistryURL(request: request)
        if try !erased(asked).isEmpty {
            try keychain.transaction { () throws(KeychainError) in
                for reference in try erased(asked) {
                    try delete(reference)
                }
            }
        }
        if let left = try best(asked) {
            hint("the login for '\(left.url.text)' stays and also answers for '\(asked.text)'")
        }
    }

    private func erased(_ asked: RegistryURL) throws(KeychainError) -> [ItemReference] {
        var erased: [ItemReference] = []
        try forEachFound(asked) { found in
            if found.match.isErased {
                erased.append(found.reference)
            }
        }
        return erased
    }

    /// Deletes an item; one that another program has deleted meanwhile counts as deleted.
    private func delete(_ reference: ItemReference) throws(KeychainError) {
        do throws(KeychainError) {
            try keychain.delete(Query(reference))
        } catch  where error.status != .itemNotFound {
            throw error
        } catch {}
    }
}
