public import KeychainServices

extension GitCredentialHelper {
    /// Keeps a login.
    ///
    /// Nothing is written if the keychain holds the same already, and the keychain is not even
    /// read if the login came from it. Nothing is kept, and that is no error, of a request without
    /// protocol or host (an empty host will do beside a path), without both password and
    /// credential, one marked ephemeral, and one whose password has expired and which has no
    /// refresh token, since of that one nothing could ever be answered. A negative item in its place
    /// stays: it says that no password is to be stored.
    ///
    /// - Throws: What the keychain throws.
    ///
    /// The corresponding operation of a credential helper is `store`.
    public func store(_ request: borrowing GitCredentialRequest) throws(KeychainError) {
        let login = request.loginToKeep()
        guard request.isWorthKeeping(login, at: now), !isOwnAnswer(request, login),
            try change(request, login) != nil
        else {
            return
        }
        try keychain.transaction { () throws(KeychainError) in
            switch try change(request, login) {
            case .add(let item):
                try keychain.add(item.itemClass, item.attributes, secret: item.secret)
            case .update(let reference, let present, let secret):
                var changes = keychain.changesForNewSecret(of: present)
                changes.account = request.username
                try keychain.update(Query(reference), changes, secret: consume secret)
            case nil:
                break
            }
        }
    }

    private func isOwnAnswer(
        _ request: borrowing GitCredentialRequest, _ login: borrowing Login
    ) -> Bool {
        guard !request.states.isEmpty else {
            return false
        }
        let own = StateToken.make(
            request, username: request.username, login, digest: stateDigest)
        return own.map(request.states.contains) ?? false
    }

    /// What is to be written so that the keychain holds a login; nil if it does.
    private func change(
        _ request: borrowing GitCredentialRequest, _ login: borrowing Login
    ) throws(KeychainError) -> Change? {
        var change: Change? = .add(GitCredentialItem(request, login))
        try forEachItem(request.place, returns: [.attributes, .data, .reference]) { item in
            guard let reference = item.reference else {
                return .next
            }
            guard item.attributes?.isNegative != true else {
                change = nil
                return .stop
            }
            let held = item.login()
            let kept = login.replacing(held, at: now)
            // An empty username is the same place as none, but it is answered.
            let bringsUsername = request.username != nil && item.attributes?.account == nil
            change =
                kept.isEqual(to: held) && !bringsUsername
                ? nil : .update(reference, item.attributes, kept.text())
            return .stop
        }
        return change
    }

    private enum Change: ~Copyable {
        case add(GitCredentialItem)
        case update(ItemReference, ItemAttributes?, Secret)
    }
}
