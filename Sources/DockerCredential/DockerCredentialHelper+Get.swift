public import KeychainServices
internal import StrictJSON

extension DockerCredentialHelper {
    /// Finds the login for a server: that of the very URL, else that of a URL which means the same,
    /// else that of the registry without a path, else, where no path is asked for, any of the
    /// registry. Among equals it is the one added or changed last.
    ///
    /// - Parameter request: The URL.
    /// - Returns: `{"ServerURL":…,"Username":…,"Secret":…}` and a line feed; the URL is the one
    ///   asked for.
    /// - Throws: ``Status/itemNotFound``, in docker's own words, if there is no login, and also if
    ///   the keychain is locked or not there; ``Status/param`` for a blank request;
    ///   ``Status/decode`` if the login is not UTF-8; what the keychain throws.
    ///
    /// The corresponding function of docker-credential-helpers is `Get`.
    public func get(_ request: borrowing Secret) throws(KeychainError) -> Secret {
        let asked = try RegistryURL(request: request)
        do throws(KeychainError) {
            // The usual case takes one look.
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

    /// The answer that the first item of a query gives, nil if there is none.
    private func answer(
        _ query: Query, to asked: RegistryURL
    ) throws(KeychainError) -> Secret? {
        var query = query
        query.returns = [.attributes, .data]
        var answer: Secret?
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            switch item.secret {
            case .some(let secret):
                answer = try JSONWriter.write { writer throws(KeychainError) in
                    try writer.writeObject { writer throws(KeychainError) in
                        try writer.member("ServerURL", asked.text)
                        try writer.member("Username", item.attributes?.account ?? "")
                        try writer.member("Secret", secret)
                    }
                }
            case .none: break
            }
            return .stop
        }
        return answer
    }
}
