public import KeychainServices

extension DockerCredentialHelper {
    /// Stores a login.
    ///
    /// It replaces a login for the same URL and user. An identical login becomes the one that `get`
    /// returns; if it already is, nothing is written.
    ///
    /// - Parameter request: `{"ServerURL":…,"Username":…,"Secret":…}`
    /// - Throws: ``Status/decode`` for a request that is not such an object, ``Status/param``, in docker's
    ///   own words, without a server or a user, ``Status/dataTooLarge``, all before it touches the
    ///   keychain; what the keychain throws.
    ///
    /// The corresponding function of docker-credential-helpers is `Store`.
    public func store(_ request: borrowing Secret) throws(KeychainError) {
        let request = try StoreRequest(parsing: request)
        guard try !isAnswer(request) else {
            return
        }
        try keychain.transaction { () throws(KeychainError) in
            guard try !isAnswer(request) else {
                return
            }
            if let held = try keychain.firstMatch(of: request.held) {
                try keychain.update(
                    Query(held.reference!), keychain.changesForNewSecret(of: held.attributes),
                    secret: request.secret.copy())
            } else {
                try keychain.add(.internetPassword, request.newItem, secret: request.secret)
            }
        }
    }

    /// Whether `get` already returns the same login for the URL.
    private func isAnswer(_ request: borrowing StoreRequest) throws(KeychainError) -> Bool {
        let query = Query(
            .internetPassword, request.url.placeOfLogins, returns: [.attributes, .data])
        guard let item = try keychain.firstMatch(of: query) else {
            return false
        }
        return item.attributes?.account == request.username && item.has(request.secret)
    }
}

extension StoreRequest {
    /// The query for the item of this URL and user, whatever its password.
    fileprivate var held: Query {
        var query = Query(.internetPassword, url.place, returns: [.reference, .attributes])
        query.attributes.account = username
        return query
    }
}
