#if SecretService
internal import CGIO
internal import KeychainServices

/// The Secret Service that a store is connected to, and its collection there.
final class ServiceLink {
    static let collectionInterface = "org.freedesktop.Secret.Collection"
    static let serviceInterface = "org.freedesktop.Secret.Service"
    static let propertiesInterface = "org.freedesktop.DBus.Properties"

    let bus: Bus
    private let collection: String?
    private var resolvedPath: String?
    private var openedSession: SecretSession?
    /// Whether it is gnome-keyring, nil as long as nobody has asked.
    var isGnomeKeyring: Bool?

    init(_ bus: Bus, _ collection: String?) {
        self.bus = bus
        self.collection = collection
    }

    /// Whether the connection still stands.
    var isAlive: Bool {
        // Safe: the bus keeps its connection.
        unsafe g_dbus_connection_is_closed(bus.connection) == 0
    }

    /// The session, which is opened when it is first asked for. Nothing is waited for.
    func session() throws(KeychainError) -> SecretSession {
        if let openedSession {
            return openedSession
        }
        let session = try SecretSession(bus)
        openedSession = session
        return session
    }

    /// The path under which the collection answers: of the default one the alias, which costs no
    /// question.
    func collectionPath() throws(KeychainError) -> String {
        try collection == nil ? "/org/freedesktop/secrets/aliases/default" : realPath()
    }

    /// The collection's own path.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if there is no such collection.
    func realPath() throws(KeychainError) -> String {
        if let resolvedPath {
            return resolvedPath
        }
        let name = ByteString(collection ?? "default")
        let answer = try bus.call(
            Bus.servicePath, ServiceLink.serviceInterface, "ReadAlias", .tuple(.string(name)),
            answer: "(o)")
        var path = answer.child(0).text.description
        if path == "/" {
            path = try collection.map { name throws(KeychainError) in try named(name) } ?? "/"
        }
        guard path != "/" else {
            throw missingCollection
        }
        resolvedPath = path
        return path
    }

    private func named(_ name: String) throws(KeychainError) -> String {
        let paths = try property("Collections", of: ServiceLink.serviceInterface, Bus.servicePath)
            .pathList
        if let path = paths.first(where: { $0.hasSuffix("/\(name)") }) {
            return path
        }
        for path in paths {
            let label = try property("Label", of: ServiceLink.collectionInterface, path)
            if label.text == ByteString(name) {
                return path
            }
        }
        return "/"
    }

    /// A property of an object. It has the type that the interface gives it.
    private func property(
        _ name: StaticString, of interface: String, _ path: String
    ) throws(KeychainError) -> Variant {
        let types: [(String, StaticString)] = [
            ("Collections", "ao"), ("Items", "ao"), ("Label", "s"), ("Locked", "b"),
        ]
        let type = types.first { $0.0 == name.description }!.1
        // Under load gnome-keyring's answer was once not to be understood; the next ones were.
        for _ in 0..<2 {
            let answer = try bus.call(
                path, ServiceLink.propertiesInterface, "GetAll",
                .tuple(.string(ByteString(interface))), answer: "(a{sv})")
            if let value = answer.child(0).value(name, type) {
                return value
            }
        }
        throw KeychainError(
            .io, "the Secret Service's answer can't be understood: it has no property '\(name)'")
    }

    /// A property of the collection.
    func collectionProperty(_ name: StaticString) throws(KeychainError) -> Variant {
        do throws(KeychainError) {
            return try property(name, of: ServiceLink.collectionInterface, collectionPath())
        } catch {
            throw error.status == .itemNotFound ? missingCollection : error
        }
    }

    /// Sends a call to the collection.
    func send(
        _ method: String, _ arguments: borrowing Variant, answer: StaticString
    ) throws(KeychainError) -> Reply {
        bus.send(
            try collectionPath(), ServiceLink.collectionInterface, method, arguments,
            answer: answer)
    }

    /// Waits for the answer of the collection.
    func wait(_ reply: Reply) throws(KeychainError) -> Variant {
        try bus.loop.wait { reply.isThere }
        do throws(KeychainError) {
            return try reply.take()
        } catch {
            throw error.status == .itemNotFound ? missingCollection : error
        }
    }

    /// Calls a method of the service itself.
    func callService(
        _ method: String, _ arguments: borrowing Variant, answer: StaticString
    ) throws(KeychainError) -> Variant {
        try bus.call(
            Bus.servicePath, ServiceLink.serviceInterface, method, arguments, answer: answer)
    }

    /// How the collection is called in messages.
    var collectionName: String {
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
