public import LanyardConfiguration
public import KeychainServices

/// Presents the keychains of the search list as one store: reads take the first match, new items go to the
/// default keychain, deletions apply to every keychain that works.
///
/// A transaction covers each keychain separately; none spans several.
public final class SearchListStore {
    let list: SearchList
    let keychains: [ListedKeychain]
    let report: SkippedKeychainReport
    /// Whether a walk ends with the first keychain that has a match.
    package var endsAtFirstKeychain = false
    /// Records which keychain an item's reference belongs to.
    var origins = ItemOrigins()
    let configuration: Configuration
    /// The number of transactions that are not finished.
    var openTransactions = 0
    private let unlocker: (String) -> KeychainUnlocker?

    /// - Parameters:
    ///   - flag: The value of `--keychain`.
    ///   - isSilent: Prints no remarks about recovery keys and security keys.
    /// - Throws: ``Status/param`` for an invalid configuration.
    public init(
        flag: String?, configuration: Configuration, isSilent: Bool
    ) throws(KeychainError) {
        self.configuration = configuration
        unlocker = { name in
            KeychainUnlocker(name: name, configuration: configuration, isSilent: isSilent)
        }
        list = try configuration.searchList(flag: flag)
        let isChosen = list.isChosen
        var keychains: [ListedKeychain] = []
        for name in list.names {
            keychains.append(
                ListedKeychain(
                    name, isImplicit: !isChosen && name == Configuration.secretService,
                    isNamed: list.isExplicit, configuration: configuration, unlocker: unlocker(name)
                ))
        }
        self.keychains = keychains
        report = SkippedKeychainReport(
            usedBefore: { UseMark(configuration.places).isSet })
        // Safe: a program opens its list once, while it has one thread.
        unsafe SkippedKeychainReport.current = report
    }

    /// Returns the keychains as one.
    ///
    /// - Parameter accessGroups: The access groups that the program may use.
    /// - Throws: ``Status/param`` for an invalid configuration.
    public func keychain(
        accessGroups: AccessGroups
    ) throws(KeychainError) -> Keychain {
        Keychain(self, accessGroups: accessGroups, accessible: try configuration.accessible())
    }

    /// The names of the keychains in use, in order.
    public var names: [String] { list.names }

    /// Records that the caller wants every item: any skipped keychain is reported then.
    public func askForEverything() {
        report.askedForEverything()
    }

    /// Returns the name of the keychain that an item came from, nil for an item from elsewhere.
    public func keychainName(of reference: ItemReference) -> String? {
        origins[reference.id]?.name
    }

    /// Returns the keychains that a query concerns: for a known reference, only its own.
    func keychains(for query: Query) -> [ListedKeychain] {
        for id in query.ids {
            if let origin = origins[id] {
                return [origin]
            }
        }
        return query.match.searchList.map { $0.map(keychain) } ?? keychains
    }

    /// Returns the keychain with a name, whether in the list or not.
    func keychain(_ name: String) -> ListedKeychain {
        keychains.first { $0.name == name }
            ?? ListedKeychain(
                name, isImplicit: false, configuration: configuration, unlocker: unlocker(name))
    }
}
