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
        return try firstSecret(of: query)
    }
}
