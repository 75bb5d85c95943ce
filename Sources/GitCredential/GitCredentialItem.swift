public import KeychainServices

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
        self.init(attributes: request.newItem, secret: login.text())
    }

    fileprivate init(attributes: ItemAttributes, secret: consuming Secret) {
        self.attributes = attributes
        self.secret = secret
    }

    /// The item, to be added with others.
    public consuming func newItem() -> NewItem {
        NewItem(itemClass, attributes, secret: secret)
    }
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
        return GitCredentialItem(attributes: newItem, secret: login.intoText())
    }

    /// As ``item(at:)``, of a request that is not needed any more.
    package consuming func intoItem(at now: Timestamp) -> GitCredentialItem? {
        guard isPlain else {
            return item(at: now)
        }
        guard isWorthKeeping(login, at: now) else {
            return nil
        }
        let attributes = newItem
        guard let password = login.password.take() else {
            return nil
        }
        return GitCredentialItem(attributes: attributes, secret: password)
    }

    /// Whether there is a password, with nothing beside it.
    private var isPlain: Bool { login.password != nil && login.isPasswordAlone && !isEphemeral }

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
