/// The access groups that a program may use.
///
/// ``Keychain`` applies them to every call. They keep a program from changing other programs' items
/// by mistake; another process of the same user can still open the keychain with other groups.
///
///     let keychain = Keychain(store, accessGroups: AccessGroups("my-program", others: ["shared"]))
///
/// The corresponding entitlement is keychain-access-groups.
public struct AccessGroups: Hashable, Sendable {
    /// The group of items that are added without one.
    public let first: ByteString
    /// The further groups, empty if there are none or if ``isAll`` is true.
    public let others: [ByteString]
    /// Whether every group may be used.
    public let isAll: Bool

    private init(first: ByteString, others: [ByteString], isAll: Bool) {
        self.first = first
        self.others = others
        self.isAll = isAll
    }

    /// Creates a list of groups, of which the first gets items that are added without one.
    public init(_ first: ByteString, others: [ByteString] = []) {
        self.init(first: first, others: others, isAll: false)
    }

    /// Returns all groups, for a program that manages the items of others, as `lanyard` does.
    ///
    /// - Parameter first: The group of items that are added without one.
    public static func all(addingTo first: ByteString = "login") -> AccessGroups {
        AccessGroups(first: first, others: [], isAll: true)
    }

    /// Whether a group may be used. Letter case counts.
    public func contains(_ group: ByteString) -> Bool {
        isAll || group == first || others.contains(group)
    }

    /// Throws if items can't get a group.
    ///
    /// - Throws: ``Status/missingEntitlement`` for a group that may not be used.
    func check(_ group: ByteString?) throws(KeychainError) {
        guard let group, !contains(group) else {
            return
        }
        throw KeychainError(
            .missingEntitlement, "the access group '\(group)' may not be used by this program")
    }

    /// Returns a query that matches items of these groups alone.
    ///
    /// - Throws: ``Status/missingEntitlement`` if it names a group that may not be used.
    func limiting(_ query: Query) throws(KeychainError) -> Query {
        guard !isAll else {
            return query
        }
        let group = query.attributes.accessGroup
        try check(group)
        var limited = query
        if group == nil, others.isEmpty {
            limited.attributes.accessGroup = first
        }
        if limited.attributes.accessGroup == nil || !query.match.comparesBytes {
            limited.accessGroups = self
        }
        return limited
    }
}

extension ByteString {
    /// The group of files that `lanyard setup` moved into the keychain, as they were before.
    package static let setupGroup: ByteString = "setup"
}
