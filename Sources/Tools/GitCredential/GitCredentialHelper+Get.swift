public import KeychainServices

extension GitCredentialHelper {
    /// Finds the login for a request. Of all items that equal every field and that git can receive, it is
    /// the one added or changed last.
    ///
    /// A request without a protocol or a host gets no answer. It could send one host's login to another, or
    /// an https login in clear text. Malformed URLs once stole logins that way (CVE-2020-11008).
    ///
    /// - Returns: The whole answer, empty without a login.
    /// - Throws: ``Status/decode`` if the only matching logins contain line breaks or NULs, which git's
    ///   protocol can't transport; what the keychain throws.
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
                "git can't read the login for this host: it contains a line break or a NUL",
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
