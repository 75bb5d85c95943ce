public import KeychainServices
internal import StrictJSON

extension DockerCredentialHelper {
    /// Finds the login for a server, in this order: the exact URL, an equivalent URL, the registry without
    /// a path. A request without a path also finds any login of the registry. Among equals, the one
    /// added or changed last wins.
    ///
    /// - Parameter request: The URL.
    /// - Returns: `{"ServerURL":…,"Username":…,"Secret":…}` and a line feed, with the requested URL.
    /// - Throws: ``Status/itemNotFound``, in docker's own words, without a login, and also if the keychain
    ///   is locked or missing; ``Status/param`` for a blank request; ``Status/decode`` if the login is not
    ///   UTF-8; what the keychain throws.
    ///
    /// The corresponding function of docker-credential-helpers is `Get`.
    public func get(_ request: borrowing Secret) throws(KeychainError) -> Secret {
        let asked = try RegistryURL(request: request)
        do throws(KeychainError) {
            // The usual case takes one query.
            if let answer = try answer(Query(.internetPassword, asked.placeOfLogins), to: asked) {
                return answer
            }
            if let found = try best(asked),
                let answer = try answer(Query(found.reference), to: asked)
            {
                return answer
            }
        } catch  where error.isKeychainAbsent {
            throw .notFound(hint: error.hint ?? error.reason)
        }
        throw .notFound()
    }

    /// Returns the answer from the first item of a query, nil without one.
    private func answer(
        _ query: Query, to asked: RegistryURL
    ) throws(KeychainError) -> Secret? {
        var query = query
        query.returns = [.attributes, .data]
        guard let item = try keychain.firstMatch(of: query), let secret = item.secret else {
            return nil
        }
        let username = item.attributes?.account ?? ""
        return try JSONWriter.writeObject { writer throws(KeychainError) in
            try writer.member("ServerURL", asked.text)
            try writer.member("Username", username)
            try writer.member("Secret", secret)
        }
    }
}
