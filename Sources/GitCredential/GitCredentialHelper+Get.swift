public import KeychainServices

extension GitCredentialHelper {
    /// Finds the login that a request describes: of all that equal every field of the request, the
    /// one added or changed last that git can be told.
    ///
    /// A request without a protocol or a host is answered with nothing: the wildcard would hand one
    /// host's login to another, or that of https to be sent in the clear, which is how a malformed URL
    /// once stole logins (CVE-2020-11008).
    ///
    /// - Returns: The whole answer, empty if there is none.
    /// - Throws: ``Status/decode`` if there are such logins, but values with line breaks or NULs in
    ///   them, which git's protocol can't transport, keep them from being told; what the keychain
    ///   throws.
    ///
    /// The corresponding operation of a credential helper is `get`.
    public func get(
        _ request: borrowing GitCredentialRequest
    ) throws(KeychainError) -> Secret {
        guard request.protocol != nil, request.host != nil else {
            return Secret("")
        }
        var lines: Secret?
        var isOneUnprintable = false
        try forEachItem(request.wanted, returns: [.attributes, .data]) { item in
            guard
                let answer = Answer(
                    username: item.attributes?.account, item.login(), request.capabilities,
                    now: now)
            else {
                return .next
            }
            guard !answer.isUnprintable else {
                isOneUnprintable = true
                return .next
            }
            lines = answer.lines(state: state(of: answer, to: request))
            return .stop
        }
        if lines == nil, isOneUnprintable {
            throw KeychainError(
                .decode,
                "the login of this host can't be given to git: it has a line break or a NUL in it",
                hint: "erase it with 'git credential reject' and log in again")
        }
        return lines.copy() ?? Secret("")
    }

    private func state(
        of answer: borrowing Answer, to request: borrowing GitCredentialRequest
    ) -> ByteString? {
        guard request.capabilities.contains(.state) else {
            return nil
        }
        return StateToken.make(
            request, username: answer.username ?? request.username, answer.login,
            digest: stateDigest)
    }
}
