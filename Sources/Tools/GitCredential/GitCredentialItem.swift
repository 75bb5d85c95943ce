public import KeychainServices

/// The item in which ``GitCredentialHelper`` stores a new login: an internet password in the access group
/// `git`, its secret in the format of git-credential-libsecret.
public struct GitCredentialItem: ~Copyable {
    /// The class of the item.
    public let itemClass = ItemClass.internetPassword
    /// All attributes of the item.
    public let attributes: ItemAttributes
    /// The secret in its stored form.
    public let secret: Secret

    init(_ request: borrowing GitCredentialRequest, _ login: borrowing Login) {
        self.init(attributes: request.newItem, secret: login.text())
    }

    fileprivate init(attributes: ItemAttributes, secret: consuming Secret) {
        self.attributes = attributes
        self.secret = secret
    }

    /// Returns the item, for adding it with others.
    public consuming func newItem() -> NewItem {
        NewItem(itemClass, attributes, secret: secret)
    }
}

extension GitCredentialRequest {
    /// Returns the item in which the helper would store this login as a new one; nil if it would store
    /// nothing.
    ///
    /// - Parameter now: The time to compare expiry dates with.
    ///
    /// The corresponding operation of a credential helper is `store`.
    public borrowing func item(at now: Timestamp) -> GitCredentialItem? {
        let login = loginToKeep()
        guard isWorthKeeping(login, at: now) else {
            return nil
        }
        return GitCredentialItem(attributes: newItem, secret: login.intoText())
    }

    /// As ``item(at:)``, but consumes the request.
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

    /// Whether the login is a password without further parts.
    private var isPlain: Bool { login.password != nil && login.isPasswordAlone && !isEphemeral }

    /// Whether storing this request has an effect.
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
