public import Configuration
public import KeychainServices

/// The keychains of the search list as one store: what is looked for is found in the first one that
/// has it, what is new goes to the default one, and what is deleted is deleted in all that can be used.
///
/// A transaction is one in each keychain that takes part; between them there is none.
public final class SearchListStore {
    let list: SearchList
    let keychains: [ListedKeychain]
    let report: SkippedKeychainReport
    /// Which keychain an item's reference is of.
    var origins = ItemOrigins()
    let configuration: Configuration
    private let unlocker: (String) -> KeychainUnlocker?

    /// - Parameters:
    ///   - flag: What `--keychain` named.
    ///   - isSilent: Says nothing where what the process was given does its work.
    /// - Throws: ``Status/param`` for a configuration that can't be.
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

    /// The keychains as one.
    ///
    /// - Parameter accessGroup: The group of new items.
    /// - Throws: ``Status/param`` for a configuration that can't be.
    public func keychain(
        accessGroup: ByteString = "login"
    ) throws(KeychainError) -> Keychain {
        Keychain(self, accessGroup: accessGroup, accessible: try configuration.accessible())
    }

    /// The names of the keychains in use, in their order.
    public var names: [String] { list.names }

    /// Takes note that everything in the keychains is asked for: one that is left out is always told of then.
    public func askForEverything() {
        report.askedForEverything()
    }

    /// The name of the keychain that an item came from, nil if it was not handed out here.
    public func keychainName(of reference: ItemReference) -> String? {
        origins[reference.id]?.name
    }

    /// The keychains that a query can be about: of a reference that was handed out here, its own.
    func keychains(for query: Query) -> [ListedKeychain] {
        for id in query.ids {
            if let origin = origins[id] {
                return [origin]
            }
        }
        return keychains
    }

    /// The keychain with a name, in the list or not.
    func keychain(_ name: String) -> ListedKeychain {
        keychains.first { $0.name == name }
            ?? ListedKeychain(
                name, isImplicit: false, configuration: configuration, unlocker: unlocker(name))
    }
}
