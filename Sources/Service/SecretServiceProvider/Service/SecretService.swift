#if SecretService
internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting

/// The service: its collections, and what belongs to its clients. All objects on the bus are answered for here.
final class SecretService {
    let connection: ProviderConnection
    private(set) lazy var tree = ObjectTree(
        connection,
        description: "<node>\(Interfaces.descriptions.joined())</node>", self)
    private(set) var clients: [String: Client] = [:]
    private(set) var collections: [Collection] = []
    private let sessionSource = MemorySource()
    private let sessionCollection: Collection
    let queue = CallQueue()
    /// What clients see of the keychains.
    let scope: ServiceScope
    private var configuration: Configuration
    private var seen: [FileVersion?] = []
    private var lastNumber: UInt64 = 0
    private var pendingNews: [String: Collection] = [:]
    private var watch = FolderWatch()
    private var isLookPlanned = false
    /// When the last call came, in milliseconds.
    private(set) var lastCall = SystemCalls.monotonicMilliseconds()
    private var isReleasePlanned = false

    init(
        _ connection: ProviderConnection, _ scope: ServiceScope
    ) throws(KeychainError) {
        self.connection = connection
        self.scope = scope
        configuration = try Configuration()
        sessionCollection = Collection(name: Collection.session, sessionSource)
        for path in [ObjectPath.service.text, sessionCollection.path.text] + ObjectPath.containers {
            tree.export(path)
        }
        connection.whenClientsLeave { [self] name in
            queue.add(name) { [self] in clients.removeValue(forKey: name)?.end() }
        }
        refresh()
        watchFolders()
        releaseCodeWhenQuiet()
    }

    /// Whether no client needs the process.
    var isIdle: Bool { clients.isEmpty && sessionSource.isEmpty }

    /// Returns a number for a session or a prompt.
    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    func noteCall() {
        lastCall = SystemCalls.monotonicMilliseconds()
        releaseCodeWhenQuiet()
    }

    /// Most of an idle service's memory would be code that only its start and its last calls needed.
    private func releaseCodeWhenQuiet() {
        guard !isReleasePlanned else {
            return
        }
        isReleasePlanned = true
        let quiet: Int64 = 1_000
        MainLoop.after(milliseconds: UInt32(quiet)) { [self] in
            isReleasePlanned = false
            if SystemCalls.monotonicMilliseconds() - lastCall < quiet {
                releaseCodeWhenQuiet()
            } else {
                SystemCalls.releaseCode()
            }
        }
    }
}

// Clients.
extension SecretService {
    /// Returns what belongs to a client, until it leaves the bus.
    func client(_ name: String) -> Client {
        if let client = clients[name] {
            return client
        }
        let client = Client(name)
        clients[name] = client
        return client
    }

    /// Returns a session of a client.
    ///
    /// - Throws: ``BusError/noSession``.
    func session(_ path: String, of sender: String) throws(BusError) -> Session {
        guard case .session(let number)? = ObjectPath(path),
            let session = clients[sender]?.useSession(number)
        else {
            throw .noSession
        }
        return session
    }

    /// Returns a prompt of a client.
    func prompt(_ number: UInt64, of sender: String) throws(BusError) -> Prompt {
        guard let prompt = clients[sender]?.prompts[number] else {
            throw .unknownObject
        }
        return prompt
    }

    /// Returns who uses an item through a client's call, for its list of trusted applications and the log.
    ///
    /// - Parameter item: nil for a new one.
    /// - Returns: nil if it does not matter: the bus takes its time to say who it is.
    func context(
        _ sender: String, _ collection: Collection, _ item: ServedItem? = nil
    ) -> AuthenticationContext? {
        guard collection.logsUses || item?.hasTrustedApplications == true else {
            return nil
        }
        return AuthenticationContext(requester: client(sender).program(connection))
    }
}

// Collections.
extension SecretService {
    /// Takes over what has changed: collections, items and locks. The signals follow.
    func refresh() {
        refreshList()
        for collection in collections {
            note(collection, collection.refresh())
        }
    }

    /// Takes over what has changed in a collection.
    func refresh(_ collection: Collection) {
        note(collection, collection.refresh())
    }

    /// Returns a collection by its name.
    func collection(named name: String) -> Collection? {
        collections.first { $0.name == name }
    }

    /// Returns the collection at a path, also that of an alias.
    func collection(at path: String) -> Collection? {
        switch ObjectPath(path) {
        case .collection(let name): collection(named: name)
        case .alias(let alias): collection(forAlias: alias)
        default: nil
        }
    }

    /// Returns the collection of an alias; nil if there is none.
    func collection(forAlias alias: String) -> Collection? {
        switch alias {
        case "default": collection(named: defaultName)
        case "login": collection(named: Configuration.login)
        case "session": sessionCollection
        default: nil
        }
    }

    /// The aliases that exist.
    static let aliases = ["default", "login", "session"]

    /// The chosen default keychain, or the first one in use that is a sealed file. Nothing is tried out: a service
    /// such as this one could answer.
    private var defaultName: String {
        if let only = scope.keychain {
            return only
        }
        if let name = try? configuration.searchList().defaultName, collection(named: name) != nil {
            return name
        }
        return (try? configuration.sealedKeychain(flag: nil)) ?? Configuration.login
    }

    /// Makes another keychain the default.
    func setDefault(_ collection: Collection) throws(BusError) {
        // The only one that is shown is the default of this bus, and nothing changes for others.
        guard scope.keychain != collection.name else {
            return
        }
        try busErrors { () throws(KeychainError) in
            var keychains = UserKeychains(configuration)
            try keychains.setDefault(collection.name)
        }
        refresh()
    }

    /// The name that programs show for a collection.
    func label(of collection: Collection) -> String {
        switch collection.name {
        case Collection.session: "Session"
        case Configuration.login: configuration.label(ofKeychain: collection.name) ?? "Login"
        default: configuration.label(ofKeychain: collection.name) ?? collection.name
        }
    }

    /// Changes that name.
    func setLabel(of collection: Collection, to label: String) throws(BusError) {
        guard self.label(of: collection) != label else {
            return
        }
        guard collection.name != Collection.session else {
            throw .notSupported("the collection of the session has no other name")
        }
        try busErrors { () throws(KeychainError) in
            try configuration.set(label, for: "label", ofKeychain: collection.name)
        }
        emitLabel(of: collection)
    }

    private func refreshList() {
        let files = [Configuration.file(configuration.places), configuration.places.data]
        let versions = files.map { try? FileVersion(at: $0) }
        guard versions != seen || collections.isEmpty else {
            return
        }
        let isConfigured = versions.first == seen.first
        seen = versions
        do throws(KeychainError) {
            if !isConfigured {
                let labels = collections.map(label)
                configuration = try Configuration()
                for (collection, label) in zip(collections, labels) {
                    collection.follow(configuration)
                    if self.label(of: collection) != label {
                        emitLabel(of: collection)
                    }
                }
            }
            try follow(sealedKeychains())
            followFolders()
        } catch {
            printWarning(error.reason)
        }
    }

    private func sealedKeychains() throws(KeychainError) -> [String] {
        var names: [String] = []
        for name in try configuration.keychains()
        where try configuration.kind(ofKeychain: name) == .sealed && name != Collection.session
            && scope.shows(keychain: name)
        {
            names.append(name)
        }
        return names
    }

    private func follow(_ known: [String]) throws(KeychainError) {
        var names = known
        if !names.contains(Configuration.login), scope.shows(keychain: Configuration.login) {
            names.append(Configuration.login)
        }
        for collection in collections
        where collection !== sessionCollection && !names.contains(collection.name) {
            collections.removeAll { $0 === collection }
            tree.withdraw(collection.path.text)
            emitDeleted(collection)
        }
        for name in names where collection(named: name) == nil {
            let collection = Collection(
                name: name, try SealedSource(name, configuration), scope)
            collections.append(collection)
            tree.export(collection.path.text)
            emitCreated(collection)
        }
        if collection(named: Collection.session) == nil {
            collections.append(sessionCollection)
        }
    }
}

// Other programs' changes. Without a watch they are seen at the next call.
extension SecretService {
    /// How long a change may take, in milliseconds: programs write several files for one.
    private static let lookDelay: UInt32 = 100

    private func watchFolders() {
        guard watch.queue != -1 else {
            return
        }
        _ = MainLoop.whenReadable(watch.queue) { [self] in
            watch.takeRecords()
            if !isLookPlanned {
                isLookPlanned = true
                MainLoop.after(milliseconds: SecretService.lookDelay) { [self] in
                    isLookPlanned = false
                    refresh()
                    followFolders()
                }
            }
            return true
        }
    }

    private func followFolders() {
        var folders: Set = [FolderWatch.Folder(configuration.places.configuration)]
        for collection in collections {
            folders.formUnion(collection.folders)
        }
        watch.follow(folders)
    }
}

// Signals.
extension SecretService {
    /// Changes that follow each other so quickly have one signal about the list of items, in milliseconds.
    private static let settlingTime: UInt32 = 50

    private func note(_ collection: Collection, _ news: Collection.News) {
        guard !news.isEmpty else {
            return
        }
        for (signal, ids) in [
            ("ItemCreated", news.created), ("ItemChanged", news.changed),
            ("ItemDeleted", news.deleted),
        ] {
            for id in ids {
                connection.emit(
                    signal, of: Interfaces.collection, at: collection.path.text,
                    .path(ObjectPath.item(collection.name, id).text))
            }
        }
        for id in news.changed {
            emitChange(of: id, in: collection)
        }
        if news.isLockChanged {
            emitLocks(of: collection)
        }
        // The first item makes folders.
        followFolders()
        if pendingNews.isEmpty {
            MainLoop.after(milliseconds: SecretService.settlingTime) { [self] in emitLists() }
        }
        pendingNews[collection.name] = collection
    }

    private func emitChange(of id: ItemID, in collection: Collection) {
        guard let item = collection.catalog[id] else {
            return
        }
        connection.emitChange(
            of: Interfaces.item, at: ObjectPath.item(collection.name, id).text,
            [
                "Label": .text(item.label), "Attributes": .texts(item.attributes),
                "Modified": .number(item.modified),
            ])
    }

    private func emitLocks(of collection: Collection) {
        connection.emitChange(
            of: Interfaces.collection, at: collection.path.text,
            ["Locked": .flag(collection.isLocked)])
        // libsecret remembers what it has read of an item until such a signal comes.
        for id in collection.catalog.ids {
            guard let item = collection.catalog[id], !item.hasConditions else {
                continue
            }
            connection.emitChange(
                of: Interfaces.item, at: ObjectPath.item(collection.name, id).text,
                ["Locked": .flag(collection.isLocked)])
        }
    }

    private func emitLists() {
        let changed = pendingNews.values
        pendingNews = [:]
        for collection in changed {
            connection.emitChange(
                of: Interfaces.collection, at: collection.path.text,
                [
                    "Items": items(of: collection),
                    "Modified": .number(collection.dates.modified),
                ])
            emitChanged(collection)
        }
    }

    private func emitLabel(of collection: Collection) {
        connection.emitChange(
            of: Interfaces.collection, at: collection.path.text,
            ["Label": .text(label(of: collection))])
        emitChanged(collection)
    }

    private func emitChanged(_ collection: Collection) {
        connection.emit(
            "CollectionChanged", of: Interfaces.service, at: ObjectPath.service.text,
            .path(collection.path.text))
    }

    private func emitCreated(_ collection: Collection) {
        connection.emit(
            "CollectionCreated", of: Interfaces.service, at: ObjectPath.service.text,
            .path(collection.path.text))
        emitCollections()
    }

    private func emitDeleted(_ collection: Collection) {
        connection.emit(
            "CollectionDeleted", of: Interfaces.service, at: ObjectPath.service.text,
            .path(collection.path.text))
        emitCollections()
    }

    private func emitCollections() {
        connection.emitChange(
            of: Interfaces.service, at: ObjectPath.service.text,
            ["Collections": .paths(collections.map(\.path.text))])
    }

    /// The paths of a collection's items.
    func items(of collection: Collection) -> BusValue {
        .paths(collection.catalog.ids.map { ObjectPath.item(collection.name, $0).text })
    }
}
#endif
