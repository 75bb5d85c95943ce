public import KeychainServices

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

    /// The name under which docker itself keeps the login of a registry: without a scheme, but for its
    /// own registry.
    ///
    /// - Parameters:
    ///   - host: In small letters.
    ///   - port: Nil if there is none.
    ///   - path: Without the slash before it, empty if there is none.
    public static func serverURL(host: ByteString, port: UInt16?, path: ByteString) -> ByteString {
        let isDocker = RegistryMeaning.dockerNames.contains(host) && port ?? 443 == 443
        guard !isDocker || !["", "v1"].contains(path) else {
            return "https://index.docker.io/v1/"
        }
        let place = port.map { ":\($0)" } ?? ""
        let slash = path.isEmpty ? "" : "/"
        return ByteString(host.bytes + place.utf8 + slash.utf8 + path.bytes)
    }

    /// The item, to be added with others.
    public consuming func newItem() -> NewItem {
        NewItem(itemClass, attributes, secret: secret)
    }
}
