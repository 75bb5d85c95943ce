public import KeychainServices

/// The item in which ``DockerCredentialHelper`` stores a new login: an internet password in the access
/// group `docker`.
public struct DockerCredentialItem: ~Copyable {
    /// The class of the item.
    public let itemClass = ItemClass.internetPassword
    /// All attributes of the item.
    public let attributes: ItemAttributes
    /// The secret in its stored form.
    public let secret: Secret

    /// Creates the item for a login.
    ///
    /// - Parameters:
    ///   - serverURL: The URL or name that docker stores the login under.
    ///   - username: The user, or `<token>` if the secret is an identity token.
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

    /// Returns the name that docker itself stores a registry's login under: without a scheme, except for
    /// its own registry.
    ///
    /// - Parameters:
    ///   - host: In lower case.
    ///   - port: Nil for none.
    ///   - path: Without its leading slash, empty for none.
    public static func serverURL(host: ByteString, port: UInt16?, path: ByteString) -> ByteString {
        let isDocker = RegistryMeaning.dockerNames.contains(host) && port ?? 443 == 443
        guard !isDocker || !["", "v1"].contains(path) else {
            return "https://index.docker.io/v1/"
        }
        let place = port.map { ":\($0)" } ?? ""
        let slash = path.isEmpty ? "" : "/"
        return ByteString(host.bytes + place.utf8 + slash.utf8 + path.bytes)
    }

    /// Returns the item, for adding it with others.
    public consuming func newItem() -> NewItem {
        NewItem(itemClass, attributes, secret: secret)
    }
}
