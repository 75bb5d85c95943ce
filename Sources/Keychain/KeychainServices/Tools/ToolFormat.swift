/// Everything that the rest of Lanyard knows about a tool whose logins it stores.
///
/// Each protocol module has one such value; the module Tools lists all of them.
package struct ToolFormat: Sendable {
    /// The tool's name, for example `git`, in sentences, in `lanyard set --for` and in the access
    /// group that its helper searches.
    package let name: String
    /// The name of its helper program.
    package let helper: String
    /// Other names of the helper, under which programs start it from a folder of its own.
    package let furtherNames: [String]
    /// The programs that use the helper.
    package let programs: [String]
    /// The hosts that probably belong to the tool.
    package let hosts: Hosts
    /// Whether every login belongs to a server: such items are internet passwords, and a name
    /// without a scheme is a host.
    package let isForServers: Bool
    /// Whether a login needs an account.
    package let needsAccount: Bool
    /// Whether the tool asks for the account that a URL names.
    package let readsAccountFromURL: Bool
    /// The schemes of addresses without a host, such as `cert` for a certificate's file.
    package let hostlessSchemes: [ByteString]
    /// Returns the attributes of the item in which the helper stores a login, from those of a name.
    package let attributes: @Sendable (ItemAttributes) throws(KeychainError) -> ItemAttributes
    /// Whether the addresses of two items are one to the helper, though they may be written differently.
    package let isSameAddress: @Sendable (ItemAttributes, ItemAttributes) -> Bool
    /// Throws ``Status/param`` for a password that the tool's protocol can't carry.
    package let check: @Sendable (borrowing Secret) throws(KeychainError) -> Void
    /// Returns an item's password from its secret.
    package let password: @Sendable (borrowing Secret) -> Secret
    /// Whether storing the first secret would leave an item with the second one unchanged.
    package let isSameLogin: @Sendable (borrowing Secret, borrowing Secret) -> Bool
    /// How passwords expire; nil for a tool whose passwords don't.
    package let expiry: Expiry?
    /// How the helper answers; nil for a helper that is a program of its own.
    package let protocolHelper: ToolHelper?

    /// The names of a tool's hosts, in lower case.
    package struct Hosts: Sendable {
        /// Complete host names.
        package var names: [String] = []
        /// Domains whose subdomains belong to the tool.
        package var domains: [String] = []
        /// First labels, for example `gitlab` in `gitlab.example.org`.
        package var firstLabels: [String] = []

        /// Whether no host is typical of the tool.
        package var isEmpty: Bool { names.isEmpty && domains.isEmpty && firstLabels.isEmpty }

        /// Creates a set of these names.
        package init(
            names: [String] = [], domains: [String] = [], firstLabels: [String] = []
        ) {
            self.names = names
            self.domains = domains
            self.firstLabels = firstLabels
        }
    }

    /// How an item's secret stores its expiry date.
    package struct Expiry: Sendable {
        /// Returns when the password of a secret expires, nil if it does not.
        package let date: @Sendable (borrowing Secret) -> Timestamp?
        /// Whether the login has expired and the tool can't renew it.
        package let hasEnded: @Sendable (borrowing Secret, Timestamp) -> Bool
        /// Returns the secret with an expiry date.
        package let secret: @Sendable (borrowing Secret, Timestamp) -> Secret

        /// Creates an expiry from the functions that read and write it.
        package init(
            date: @escaping @Sendable (borrowing Secret) -> Timestamp?,
            hasEnded: @escaping @Sendable (borrowing Secret, Timestamp) -> Bool,
            secret: @escaping @Sendable (borrowing Secret, Timestamp) -> Secret
        ) {
            self.date = date
            self.hasEnded = hasEnded
            self.secret = secret
        }
    }

    /// Creates a tool. By default its items have the name's own attributes, and the secret is just
    /// the password.
    package init(
        name: String, helper: String, furtherNames: [String] = [], programs: [String],
        hosts: Hosts = Hosts(),
        isForServers: Bool = true, needsAccount: Bool = false, readsAccountFromURL: Bool = false,
        hostlessSchemes: [ByteString] = [],
        attributes: @escaping @Sendable (ItemAttributes) throws(KeychainError) -> ItemAttributes = {
            $0
        },
        isSameAddress: @escaping @Sendable (ItemAttributes, ItemAttributes) -> Bool = {
            $0.hasSameAddress(as: $1)
        },
        check: @escaping @Sendable (borrowing Secret) throws(KeychainError) -> Void = { _ in },
        password: @escaping @Sendable (borrowing Secret) -> Secret = { $0.copy() },
        isSameLogin: @escaping @Sendable (borrowing Secret, borrowing Secret) -> Bool = {
            $0.isEqual(to: $1)
        },
        expiry: Expiry? = nil, protocolHelper: ToolHelper? = nil
    ) {
        self.name = name
        self.helper = helper
        self.furtherNames = furtherNames
        self.programs = programs
        self.hosts = hosts
        self.isForServers = isForServers
        self.needsAccount = needsAccount
        self.readsAccountFromURL = readsAccountFromURL
        self.hostlessSchemes = hostlessSchemes
        self.attributes = attributes
        self.isSameAddress = isSameAddress
        self.check = check
        self.password = password
        self.isSameLogin = isSameLogin
        self.expiry = expiry
        self.protocolHelper = protocolHelper
    }

    /// The access group of the tool's items.
    package var accessGroup: ByteString { ByteString(name) }
}

extension ItemAttributes {
    /// Whether two addresses differ at most in the letter case of the host and in slashes around the path.
    fileprivate func hasSameAddress(as other: ItemAttributes) -> Bool {
        self.protocol == other.protocol && port ?? 0 == other.port ?? 0
            && (server ?? "").lowercasedASCII == (other.server ?? "").lowercasedASCII
            && (path ?? "").trimmingSlashes == (other.path ?? "").trimmingSlashes
    }
}
