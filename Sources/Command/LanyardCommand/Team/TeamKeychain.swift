internal import ArgumentParser
internal import LanyardConfiguration
internal import Glibc
internal import Keychains
internal import KeychainServices
internal import KeychainSync
internal import LinuxSystem
internal import LanyardPrompting
internal import SealedStore
internal import SyncEngine
internal import SyncPlugins

/// The option `--keychain` of commands for a shared keychain.
struct TeamKeychain: ParsableArguments {
    @OptionGroup var sealed: SealedKeychainOption

    /// The value of the option.
    var name: String? { sealed.name }

    /// A keychain that is shared, or may become so.
    struct Opened {
        let name: String
        let place: SharedKeychain.Place
        let store: SealedStore
        /// The other keychains to name if this one is not shared; nil if the user has chosen it.
        private let others: Configuration?

        init(_ name: String, _ configuration: Configuration, _ store: SealedStore, isChosen: Bool) {
            self.name = name
            others = isChosen ? nil : configuration
            self.store = store
            place = SharedKeychain.Place(
                name: name, stateFolder: configuration.places.state,
                keychainFile: store.location.file)
            // A record of the team has all versions of its item, and is in memory more than once.
            SQLiteMemory.allow(8 * Configuration.memoryForSQLite)
        }

        /// Whether only synchronizable items are exchanged: those of `login`, which has logins of tools on
        /// this machine.
        var isForSynchronizable: Bool { name == Configuration.login }

        /// Opens it as a shared one.
        ///
        /// - Throws: ``Status/noSuchKeychain`` if it is not shared; what opening it throws.
        func shared() throws(KeychainError) -> SharedKeychain {
            try checkIsShared()
            return try SharedKeychain(place, store, connect: TeamKeychain.connect)
        }

        /// Opens it as a shared one to look at what is known here, without waiting for an exchange.
        ///
        /// - Throws: As ``shared()``.
        func known() throws(KeychainError) -> SharedKeychain {
            try checkIsShared()
            return try SharedKeychain(lookingAt: place, store)
        }

        /// Names the shared keychains if this one is not one of them, and not what the user has named.
        private func checkIsShared() throws(KeychainError) {
            guard !place.isShared, let others else {
                return
            }
            let shared = try TeamKeychain.sharedNames(others)
            guard shared.isEmpty else {
                throw KeychainError(
                    .noSuchKeychain, "the keychain '\(name)' is not shared with a team",
                    hint: "add \(shared.map { "--keychain \($0)" }.joined(separator: ", or "))")
            }
        }

        /// Asks the server whether there is anything to exchange.
        ///
        /// - Throws: What the transport and the store throw.
        func isUpToDate() throws(KeychainError) -> Bool {
            try SharedKeychain.isUpToDate(place, store, connect: TeamKeychain.connect)
        }

        /// Opens it as a shared one, unless another exchange waits already.
        ///
        /// - Throws: As ``shared()``.
        func sharedUnlessOneWaits() throws(KeychainError) -> SharedKeychain? {
            try SharedKeychain.openUnlessOneWaits(place, store, connect: TeamKeychain.connect)
        }
    }

    /// Returns all shared keychains, without asking the user for passphrases.
    static func allShared() throws(KeychainError) -> [Opened] {
        let configuration = try Configuration().withoutAsking
        var all: [Opened] = []
        for name in try sharedNames(configuration) {
            if let store = try configuration.openSealedKeychain(name) {
                all.append(Opened(name, configuration, store, isChosen: true))
            }
        }
        return all
    }

    /// Warns if this process changed items of a team that this device only reads.
    static func warnOfChangesThatStay() {
        let names = BackgroundExchange.changedKeychains()
        guard !names.isEmpty, let configuration = try? Configuration().withoutAsking else {
            return
        }
        for name in names {
            if let store = try? configuration.openSealedKeychain(name),
                let shared = try? Opened(name, configuration, store, isChosen: true).known(),
                let count = try? shared.refusedChanges(), count > 0
            {
                warnOfReader()
            }
        }
    }

    /// Warns of changes that an exchange does not take along.
    static func warnOfReader() {
        printWarning(
            "this device only reads the team's items: what was changed here stays here")
        printHint("ask an owner of the team for another role")
    }

    private static func sharedNames(
        _ configuration: Configuration
    ) throws(KeychainError) -> [String] {
        var names: [String] = []
        for name in try configuration.keychains() + [Configuration.login] {
            let place = SharedKeychain.Place(
                name: name, stateFolder: configuration.places.state, keychainFile: nil)
            if place.isShared, !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    /// Whether the team of a keychain gets an item with these attributes.
    static func shares(
        _ attributes: ItemAttributes, in name: String, _ configuration: Configuration
    ) -> Bool {
        SharedKeychain.Place(
            name: name, stateFolder: configuration.places.state, keychainFile: nil
        ).shares(attributes, isForSynchronizable: name == Configuration.login)
    }

    /// Opens the keychain, and creates a missing default one.
    func open() throws(KeychainError) -> Opened {
        let opened = try sealed.open()
        return Opened(
            opened.name, opened.configuration, opened.store, isChosen: sealed.name != nil)
    }

    /// Opens the shared keychain.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if it is not shared; what opening it throws.
    func shared() throws(KeychainError) -> SharedKeychain {
        try open().shared()
    }

    /// Opens the shared keychain to look at what is known here, without waiting for an exchange.
    ///
    /// - Throws: As ``shared()``.
    func known() throws(KeychainError) -> SharedKeychain {
        try open().known()
    }

    /// Returns the way to a team on a server: a folder, or the program for the kind of server that the
    /// address names.
    ///
    /// - Throws: ``Status/param`` for an address of no known form, or with a password in it.
    static func connect(
        _ address: String, _ team: Identifier
    ) throws(KeychainError) -> any SyncTransport {
        if address.hasPrefix("/") {
            // Another user's folder may be unreadable: the transport says so.
            let isRepository = ["HEAD", "objects"].allSatisfy {
                (try? PrivatePlace.exists("\(address)/\($0)")) == true
            }
            guard !isRepository else {
                throw KeychainError(
                    .param, "'\(address)' is a git repository",
                    hint: "use its URL: \("file://\(address)".shellQuoted)")
            }
            return FolderTransport(address, team: team)
        }
        let kind = try kind(of: address)
        guard let executable = SyncPluginTransport.find(kind: kind) else {
            throw KeychainError(
                .param, "no program here can reach '\(address)': lanyard-sync-\(kind) is missing",
                hint: "use the path of a folder, or a URL: https://…/team.git, postgres://…")
        }
        return try SyncPluginTransport(
            executable: executable, address: address, team: team,
            folder: SharedKeychain.Place.transportFolder(
                of: team, stateFolder: try Configuration().places.state)
        ) { () throws(KeychainError) in
            // git asks its own helpers.
            kind == "git" ? nil : try password(for: address)
        }
    }

    /// Throws if the folder for a new team would be in a missing one: its path may be misspelt, or a share not
    /// mounted.
    ///
    /// - Throws: ``Status/itemNotFound``.
    static func checkParent(of address: String) throws(KeychainError) {
        let path = address.hasSuffix("/") ? String(address.dropLast()) : address
        guard path.hasPrefix("/"), let folder = PrivatePlace.parent(of: path),
            (try? PrivatePlace.exists(folder)) == false
        else {
            return
        }
        throw KeychainError(
            .itemNotFound, "folder '\(folder)' not found",
            hint: "mount it, or mkdir -p \(folder.shellQuoted)")
    }

    /// Returns the account that an address names; nil for none, or for one that all users of a server share.
    static func account(in address: String) -> String? {
        guard let start = address.firstRange(of: "://")?.upperBound else {
            return nil
        }
        let authority = address[start...].prefix { !"/?".contains($0) }
        let account = authority.prefix { $0 != "@" }
        return account == authority || account == "git" ? nil : String(account)
    }

    /// Returns an address with another account.
    static func address(_ address: String, of account: String) -> String {
        guard let start = address.firstRange(of: "://")?.upperBound else {
            return address
        }
        let own = self.account(in: address).map { "\($0)@" } ?? ""
        return "\(address[..<start])\(account)@\(address[start...].dropFirst(own.count))"
    }

    /// Returns the kind of server of an address: the scheme of a URL, but for the common ones.
    private static func kind(of address: String) throws(KeychainError) -> String {
        guard let end = address.firstRange(of: "://")?.lowerBound else {
            // ada@example.com:team.git
            let host = address.prefix { $0 != ":" }
            guard host != address, !host.isEmpty, !host.contains("/") else {
                throw KeychainError(
                    .param, "'\(address)' is no address of a team",
                    hint: "use an absolute path, https://HOST/PATH, ssh://HOST/PATH or "
                        + "postgres://HOST/DATABASE")
            }
            return "git"
        }
        let scheme = address[..<end].lowercased()
        guard !scheme.isEmpty, scheme.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
            throw KeychainError(.param, "'\(address)' is no address of a team's server")
        }
        return switch scheme {
        case "https", "http", "ssh", "file": "git"
        case "postgres": "postgresql"
        default: scheme
        }
    }

    /// Returns the password that is stored for an address, nil if there is none.
    private static func password(for address: String) throws(KeychainError) -> Secret? {
        let name = SyncAddress.login(of: address)
        let search = ItemSearch(
            name: try ItemName(name, account: nil), group: nil, isForReading: true)
        let opened = try OpenKeychains(nil)
        let item = try search.one(name, in: opened.keychain, opened.store, returns: .data) {
            _ in nil
        }
        guard let item else {
            return nil
        }
        return item.secret
    }
}

/// Says under which name a device joins whose host name another one has.
func noteNumber(of shared: SharedKeychain, _ names: DeviceNames) {
    if shared.card.name != (try? names.deviceName()) {
        printNote("this device is called '\(shared.card.name)': \(shared.card.person) has others")
    }
}

/// The options that name a device and its owner.
struct DeviceNames: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Your name for the others, if not that of your account.", valueName: "name"))
    var person: String?
    @Option(
        help: ArgumentHelp(
            "This machine's name for the others, if not its host name.", valueName: "name"))
    var device: String?

    /// Returns the person's name: where the account has none, as in many containers, that of the machine.
    func personName() throws(KeychainError) -> String {
        if let person {
            return person
        }
        for variable in ["USER", "LOGNAME"] {
            if let name = try Environment.value(variable), !name.isEmpty {
                return name
            }
        }
        if let name = UserAccount.ownName {
            return name
        }
        return try deviceName()
    }

    /// Returns the machine's name.
    func deviceName() throws(KeychainError) -> String {
        if let device {
            return device
        }
        do throws(SystemCallError) {
            return try SystemCalls.hostName()
        } catch {
            throw error.keychainError("can't find the host name")
        }
    }
}
