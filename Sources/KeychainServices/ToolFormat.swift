/// All that the rest of Lanyard has to know of a tool whose logins it stores.
///
/// A protocol module has one value of it; the module Tools lists all of them.
package struct ToolFormat: Sendable {
    /// The tool's name, for example `git`: in sentences, for `lanyard set --for`, and of the access group
    /// in which its helper looks.
    package let name: String
    /// The name of its helper program.
    package let helper: String
    /// The programs that use the helper.
    package let programs: [String]
    /// The hosts that are likely to be the tool's.
    package let hosts: Hosts
    /// Whether a login is always that of a server: such items are internet passwords, and a name without
    /// a scheme is a host's.
    package let isForServers: Bool
    /// Whether a login has to have an account.
    package let needsAccount: Bool
    /// Whether the tool asks for one of a host's accounts if a URL names it.
    package let readsAccountFromURL: Bool
    /// The attributes of the item in which the helper stores a login, made of those that a name has.
    package let attributes: @Sendable (ItemAttributes) throws(KeychainError) -> ItemAttributes
    /// Throws ``Status/param`` if a password is one that the tool can't be told.
    package let check: @Sendable (borrowing Secret) throws(KeychainError) -> Void
    /// An item's password, out of the secret.
    package let password: @Sendable (borrowing Secret) -> Secret
    /// Whether storing a secret, the first one, would leave an item with the second one as it is.
    package let isSameLogin: @Sendable (borrowing Secret, borrowing Secret) -> Bool
    /// When passwords end; nil for a tool whose passwords don't.
    package let expiry: Expiry?

    /// Names by which a tool's hosts are known, in small letters.
    package struct Hosts: Sendable {
        /// Whole names.
        package var names: [String] = []
        /// Domains whose subdomains they are.
        package var domains: [String] = []
        /// First labels, for example `gitlab` of `gitlab.example.org`.
        package var firstLabels: [String] = []

        /// Hosts of these names.
        package init(
            names: [String] = [], domains: [String] = [], firstLabels: [String] = []
        ) {
            self.names = names
            self.domains = domains
            self.firstLabels = firstLabels
        }
    }

    /// How the end of a password lies in an item's secret.
    package struct Expiry: Sendable {
        /// When the password of a secret ends, nil if it does not.
        package let date: @Sendable (borrowing Secret) -> Timestamp?
        /// Whether the login has ended for good, and the tool can't renew it.
        package let hasEnded: @Sendable (borrowing Secret, Timestamp) -> Bool
        /// The secret of an item whose password ends.
        package let secret: @Sendable (borrowing Secret, Timestamp) -> Secret

        /// An expiry that is read and written by these.
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

    /// A tool, by default one whose items have the name's own attributes, and the password alone as
    /// their secret.
    package init(
        name: String, helper: String, programs: [String], hosts: Hosts = Hosts(),
        isForServers: Bool = true, needsAccount: Bool = false, readsAccountFromURL: Bool = false,
        attributes: @escaping @Sendable (ItemAttributes) throws(KeychainError) -> ItemAttributes = {
            $0
        },
        check: @escaping @Sendable (borrowing Secret) throws(KeychainError) -> Void = { _ in },
        password: @escaping @Sendable (borrowing Secret) -> Secret = { $0.copy() },
        isSameLogin: @escaping @Sendable (borrowing Secret, borrowing Secret) -> Bool = {
            $0.isEqual(to: $1)
        },
        expiry: Expiry? = nil
    ) {
        self.name = name
        self.helper = helper
        self.programs = programs
        self.hosts = hosts
        self.isForServers = isForServers
        self.needsAccount = needsAccount
        self.readsAccountFromURL = readsAccountFromURL
        self.attributes = attributes
        self.check = check
        self.password = password
        self.isSameLogin = isSameLogin
        self.expiry = expiry
    }

    /// The access group of the tool's items.
    package var accessGroup: ByteString { ByteString(name) }
}
