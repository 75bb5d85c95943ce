#if SecretService
internal import CLibsecret
internal import KeychainServices
internal import LinuxSystem

/// A store's connection to the Secret Service and its collection there.
final class ServiceLink {
    /// The well-known name.
    static let serviceName = "org.freedesktop.secrets"
    /// The second name of Lanyard's own Secret Service.
    private static let nameOfLanyard = "org.lanyard.SecretService"

    let connection: BusConnection
    let libsecret: Libsecret
    let watch: CallWatch
    /// The program's unique name.
    let owner: String
    let questions = Libsecret.Questions()
    /// Whether the present operation unlocks something.
    private(set) var isUnlocking = false
    private let collection: String?
    private var resolvedPath: String?
    private var hasSession = false
    private var knownIsGnomeKeyring: Bool?

    /// Finds the program that is the Secret Service. The bus starts one if there is none, but not Lanyard's own.
    init(
        _ connection: BusConnection, _ collection: String?, _ watch: CallWatch
    ) throws(KeychainError) {
        self.connection = connection
        self.collection = collection
        self.watch = watch
        watch.expect(connection)
        owner = try ServiceLink.findService(connection, watch)
        try ServiceLink.checkIsAnothers(owner, connection, watch)
        watch.expect(connection, owner: owner)
        libsecret = try Libsecret(connection, owner: owner, watch, questions)
    }

    private static func findService(
        _ connection: BusConnection, _ watch: CallWatch
    ) throws(KeychainError) -> String {
        do throws(KeychainError) {
            return try connection.owner(of: serviceName, watch)
        } catch  where error.status == .notAvailable && !watch.isOver {
            watch.allowSilence()
            // `lanyard setup secret-service` lets the bus start both names.
            guard try !connection.activatableNames(watch).contains(nameOfLanyard) else {
                throw isLanyard
            }
            try connection.start(serviceName, watch)
            return try connection.owner(of: serviceName, watch)
        }
    }

    /// Rejects Lanyard's own Secret Service: it serves the keychains that Lanyard opens directly.
    ///
    /// - Throws: ``Status/duplicateKeychain``.
    private static func checkIsAnothers(
        _ owner: String, _ connection: BusConnection, _ watch: CallWatch
    ) throws(KeychainError) {
        guard try connection.owners(of: nameOfLanyard, watch).contains(owner) else {
            return
        }
        throw isLanyard
    }

    private static let isLanyard = KeychainError(
        .duplicateKeychain, "Lanyard itself is the Secret Service here",
        hint: "its items are in your keychains: lanyard list")

    /// Whether the connection is still open.
    var isAlive: Bool { !connection.isClosed }

    /// Opens the session that transports secrets, unless it is open.
    func openSession() throws(KeychainError) {
        guard !hasSession else {
            return
        }
        try libsecret.openSession()
        hasSession = true
    }

    /// Returns a path for calls to the collection: for the default one its alias, which needs no
    /// extra call.
    private func address() throws(KeychainError) -> String {
        try collection == nil ? "/org/freedesktop/secrets/aliases/default" : path()
    }

    /// Returns the collection's own path.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if the collection does not exist.
    func path() throws(KeychainError) -> String {
        if let resolvedPath {
            return resolvedPath
        }
        var path = try libsecret.collectionPath(alias: collection ?? "default")
        if path == nil, let collection {
            path = try named(collection)
        }
        guard let path else {
            throw missingCollection
        }
        resolvedPath = path
        return path
    }

    private func named(_ name: String) throws(KeychainError) -> String? {
        let loaded = try Libsecret(
            connection, owner: owner, watch, questions, loadsCollections: true)
        let collections = loaded.collections()
        let found =
            collections.first { $0.path.hasSuffix("/\(name)") }
            ?? collections.first { $0.label == name }
        return found?.path
    }

    /// Returns the collection's own properties.
    func properties() throws(KeychainError) -> Libsecret.Collection {
        try ofCollection { path throws(KeychainError) in try libsecret.collection(at: path) }
    }

    /// Returns the paths of the collection's items that have at least these attributes.
    func search(_ attributes: [ByteString: ByteString]) throws(KeychainError) -> [String] {
        try ofCollection { path throws(KeychainError) in
            try libsecret.search(attributes, in: path)
        }
    }

    /// The number of items to request at once; some buses allow 128 pending calls.
    private static let batch = 64

    /// Returns the items at these paths, without deleted ones.
    func items(_ paths: [String]) throws(KeychainError) -> [RemoteItem] {
        var items: [RemoteItem] = []
        var rest = paths[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(ServiceLink.batch))
            rest = rest.dropFirst(batch.count)
            var found = try libsecret.items(batch)
            if found.count < batch.count {
                // For libsecret an item without an answer is deleted, whatever the reason.
                let there = Set(found.map(\.path))
                found += try libsecret.items(batch.filter { !there.contains($0) })
                try checkAlive()
            }
            items += found
        }
        return items
    }

    /// Creates an item in the collection.
    ///
    /// - Returns: Its path.
    func create(
        _ item: WrittenItem, _ value: borrowing SecretCopy
    ) throws(KeychainError) -> String {
        try ofCollection { path throws(KeychainError) in
            try libsecret.create(item, value, in: path)
        }
    }

    /// Changes an item in the service.
    ///
    /// - Throws: ``Status/itemNotFound`` if the item is gone, but the service is not.
    func change(
        _ body: (borrowing Libsecret) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        do throws(KeychainError) {
            try body(libsecret)
        } catch {
            if error.status == .itemNotFound {
                try checkAlive()
            }
            throw error
        }
    }

    /// Runs a closure on the collection; what it does not find is the collection.
    private func ofCollection<Result>(
        _ body: (String) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(KeychainError) {
            return try body(address())
        } catch  where error.status == .itemNotFound {
            try checkAlive()
            throw missingCollection
        }
    }

    /// - Throws: ``Status/notAvailable`` if the program has ended.
    private func checkAlive() throws(KeychainError) {
        _ = try connection.owner(of: owner, watch)
    }

    /// Unlocks the collection, asking the user if allowed.
    func unlock() throws(KeychainError) {
        isUnlocking = true
        defer { isUnlocking = false }
        do throws(KeychainError) {
            try libsecret.unlock(path())
        } catch  where error.status == .interactionNotAllowed {
            throw KeychainError(
                .interactionNotAllowed, "\(collectionName) is locked",
                hint: "unlock it on the desktop, or use another keychain")
        }
    }

    /// Returns whether it is gnome-keyring.
    func isGnomeKeyring() throws(KeychainError) -> Bool {
        if let knownIsGnomeKeyring {
            return knownIsGnomeKeyring
        }
        let isGnomeKeyring = try isKnown(as: "org.gnome.keyring")
        knownIsGnomeKeyring = isGnomeKeyring
        return isGnomeKeyring
    }

    /// Returns whether the program also has this name on the bus.
    func isKnown(as name: String) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            return try connection.owner(of: name, watch) == owner
        } catch {
            guard !watch.isOver else {
                throw error
            }
            return false
        }
    }

    /// Returns the file name of the program; nil if only root may know it.
    func programName() throws(KeychainError) -> String? {
        let path = SystemCalls.programPath(of: try connection.process(of: owner, watch))
        return path?.split(separator: "/").last.map(String.init)
    }

    /// The collection's name in messages.
    private var collectionName: String {
        collection.map { "the collection '\($0)' of the Secret Service" }
            ?? "the Secret Service's default collection"
    }

    private var missingCollection: KeychainError {
        KeychainError(
            .noSuchKeychain,
            collection == nil
                ? "the Secret Service has no default collection"
                : "the Secret Service has no collection '\(collection ?? "")'",
            hint: "create one on the desktop, or use another keychain")
    }
}
#endif
