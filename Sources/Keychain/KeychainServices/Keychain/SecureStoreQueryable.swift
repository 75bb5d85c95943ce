/// Everything that the items of a ``SecureStore`` have in common, except the account.
///
/// The identity attributes select the store's items. An absent one matches items without it, but an
/// absent access group means the keychain's own. New items also get the other attributes; an
/// account among them is ignored.
///
/// The corresponding part is the dictionary that the SecItem functions take.
public protocol SecureStoreQueryable {
    /// The class of the items: kSecClass.
    var itemClass: ItemClass { get }
    /// The attributes that each item is added with; their identity finds it again.
    var attributes: ItemAttributes { get }
}

/// Passwords for a service. The corresponding constant is kSecClassGenericPassword.
public struct GenericPasswordQueryable: SecureStoreQueryable, Hashable, Sendable {
    /// The service that the passwords are for: kSecAttrService.
    public var service: ByteString
    /// The group that the items belong to, nil for the keychain's own: kSecAttrAccessGroup.
    public var accessGroup: ByteString?

    /// Creates a queryable for a service in an access group, by default the keychain's own.
    public init(service: ByteString, accessGroup: ByteString? = nil) {
        self.service = service
        self.accessGroup = accessGroup
    }

    /// The generic password class.
    public var itemClass: ItemClass { .genericPassword }

    /// The service and, if given, the access group.
    public var attributes: ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = service
        attributes.accessGroup = accessGroup
        return attributes
    }
}

/// Passwords for a server on a network. The corresponding constant is kSecClassInternetPassword.
public struct InternetPasswordQueryable: SecureStoreQueryable, Hashable, Sendable {
    /// The server's name or address: kSecAttrServer.
    public var server: ByteString
    /// The port, nil or 0 for passwords without one: kSecAttrPort.
    public var port: UInt16?
    /// The path on the server, nil or empty for passwords without one: kSecAttrPath.
    public var path: ByteString?
    /// The security domain, nil or empty for passwords without one: kSecAttrSecurityDomain.
    public var securityDomain: ByteString?
    /// The protocol, nil for passwords without one: kSecAttrProtocol.
    public var `protocol`: ProtocolType?
    /// How the server checks the login, nil for passwords without a type:
    /// kSecAttrAuthenticationType.
    public var authenticationType: AuthenticationType?
    /// The group that the items belong to, nil for the keychain's own: kSecAttrAccessGroup.
    public var accessGroup: ByteString?

    /// Creates a queryable for a server. It matches passwords without the parts left out; an access
    /// group left out is the keychain's own.
    public init(
        server: ByteString, port: UInt16? = nil, path: ByteString? = nil,
        securityDomain: ByteString? = nil, protocol: ProtocolType? = nil,
        authenticationType: AuthenticationType? = nil, accessGroup: ByteString? = nil
    ) {
        self.server = server
        self.port = port
        self.path = path
        self.securityDomain = securityDomain
        self.protocol = `protocol`
        self.authenticationType = authenticationType
        self.accessGroup = accessGroup
    }

    /// The internet password class.
    public var itemClass: ItemClass { .internetPassword }

    /// The server and the other parts that are given.
    public var attributes: ItemAttributes {
        var attributes = ItemAttributes()
        attributes.server = server
        attributes.port = port
        attributes.path = path
        attributes.securityDomain = securityDomain
        attributes.protocol = `protocol`
        attributes.authenticationType = authenticationType
        attributes.accessGroup = accessGroup
        return attributes
    }
}
