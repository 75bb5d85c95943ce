public import Keychain

/// The item in which ``GitCredentialHelper`` keeps a new login: an internet password in the access
/// group `git`, its secret in the format of git-credential-libsecret.
public struct GitCredentialItem: ~Copyable {
    /// The class of the item.
    public let itemClass = ItemClass.internetPassword
    /// All attributes that it gets.
    public let attributes: ItemAttributes
    /// The secret in the form in which it is kept.
    public let secret: Secret

    init(_ request: borrowing GitCredentialRequest, _ login: borrowing Login) {
        attributes = request.newItem
        secret = login.text()
    }

    /// The secret alone.
    public consuming func takeSecret() -> Secret { secret }
}

extension GitCredentialRequest {
    /// The item in which the helper would keep this login if it had none yet of the same place; nil
    /// if it would keep nothing.
    ///
    /// - Parameter now: By which a password has expired or not.
    ///
    /// The corresponding operation of a credential helper is `store`.
    public borrowing func item(at now: Timestamp) -> GitCredentialItem? {
        let login = loginToKeep()
        guard isWorthKeeping(login, at: now) else {
            return nil
        }
        return GitCredentialItem(self, login)
    }

    /// Whether a store of this request keeps something.
    borrowing func isWorthKeeping(_ login: borrowing Login, at now: Timestamp) -> Bool {
        guard self.protocol?.isEmpty == false, let host,
            !host.isEmpty || path?.isEmpty == false,
            login.password != nil || login.credential != nil
        else {
            return false
        }
        return !isEphemeral && (!login.isExpired(at: now) || login.refreshToken != nil)
    }
}
