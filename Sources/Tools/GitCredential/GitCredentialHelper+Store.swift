public import KeychainServices

extension GitCredentialHelper {
    /// Stores a login.
    ///
    /// It writes nothing if the keychain already has the same login, and does not even read the keychain if
    /// the login came from it. It ignores, without an error, these requests:
    ///
    /// - one without protocol or host (an empty host is valid with a path),
    /// - one without both password and credential,
    /// - one marked ephemeral,
    /// - one whose password has expired and that has no refresh token, because it could never be answered.
    ///
    /// A negative item for the same place remains: it says that no password may be stored.
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

    /// Returns the change that stores a login in the keychain; nil if it is stored already.
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
            // An empty username means the same place as none, but it appears in answers.
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
