public import Keychain

/// The item in which ``DockerCredentialHelper`` keeps a new login: an internet password in the
/// access group `docker`.
public struct DockerCredentialItem: ~Copyable {
    /// The class of the item.
    public let itemClass = ItemClass.internetPassword
    /// All attributes that it gets.
    public let attributes: ItemAttributes
    /// The secret in the form in which it is kept.
    public let secret: Secret

    /// The item of a login.
    ///
    /// - Parameters:
    ///   - serverURL: The URL or the name under which docker keeps the login.
    ///   - username: The user, or `<token>` where the secret is an identity token.
    ///   - secret: The password or the token, up to 1 MiB.
    /// - Throws: ``Status/param``, in docker's own words, without a server or a user,
    ///   ``Status/dataTooLarge``.
    ///
    /// The corresponding function of docker-credential-helpers is `Add`.
    public init(
        serverURL: ByteString, username: ByteString, secret: consuming Secret
    ) throws(KeychainError) {
        let request = try StoreRequest(
            serverURL: serverURL.bytes.span, username: username, secret: secret)
        attributes = request.newItem
        self.secret = request.takeSecret()
    }

    /// The item, to be added with others.
    public consuming func newItem() -> NewItem {
        NewItem(itemClass, attributes, secret: secret)
    }
}
