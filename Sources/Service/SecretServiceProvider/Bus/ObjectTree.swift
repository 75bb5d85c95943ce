#if SecretService
internal import CGLib

/// The objects of the service on a connection, at paths and directly below them.
///
/// The corresponding function is `g_dbus_connection_register_subtree`.
@safe  // Safe: it stays until the process ends, with its objects.
final class ObjectTree {
    private let connection: ProviderConnection
    private let tree: UnsafeMutablePointer<LanyardTree>
    private var exported: [String: guint] = [:]

    /// - Parameters:
    ///   - description: The interfaces, in D-Bus' introspection format.
    ///   - service: Stays until the process ends.
    init(_ connection: ProviderConnection, description: String, _ service: SecretService) {
        self.connection = connection
        // Safe: the service stays until the process ends.
        let data = unsafe Unmanaged.passRetained(service).toOpaque()
        unsafe tree = lanyard_tree_new(description, ObjectTree.functions, data)
        // Safe: the connection stays, and the path is copied.
        unsafe lanyard_redirect_introspection(connection.pointer, ObjectPath.service.text)
    }

    /// Answers for the object at a path and those directly below it.
    func export(_ path: String) {
        guard exported[path] == nil else {
            return
        }
        // Safe: tree and connection stay until the process ends.
        exported[path] = unsafe lanyard_tree_export(tree, connection.pointer, path)
    }

    /// Stops that.
    func withdraw(_ path: String) {
        if let number = exported.removeValue(forKey: path) {
            // Safe: the connection is alive.
            unsafe g_dbus_connection_unregister_subtree(connection.pointer, number)
        }
    }

    @unsafe  // Safe: the data is that of the tree.
    private static func service(_ data: gpointer?) -> SecretService {
        // Safe: as the caller promises.
        unsafe Unmanaged<SecretService>.fromOpaque(data!).takeUnretainedValue()
    }

    // Safe: GLib passes texts that end with NUL, and the tree's data.
    private static let functions = unsafe LanyardObjects(
        interfaces: { data, path in
            unsafe ObjectTree.service(data).interfaces(at: String(cString: path!))
        },
        call: { data, invocation in
            unsafe ObjectTree.service(data).take(MethodCall(invocation!))
        })
}
#endif
