extension Keychain {
    /// Returns the secret of a service in a group, the newest of several; nil if there is none.
    ///
    /// - Throws: What the store throws.
    package func secret(
        named service: ByteString, account: ByteString? = nil, in group: ByteString
    ) throws(KeychainError) -> Secret? {
        var query = Query(.genericPassword, returns: .data)
        query.attributes.accessGroup = group
        query.attributes.service = service
        query.attributes.account = account
        query.attributes.isNegative = false
        var secret: Secret?
        try forEachMatch(query) { item throws(KeychainError) in
            secret = item.secret
            return .stop
        }
        return secret
    }
}
