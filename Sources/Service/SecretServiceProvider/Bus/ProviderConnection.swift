#if SecretService
internal import CGLib
internal import KeychainServices

/// The connection to the message bus.
@safe  // Safe: it has a reference, and stays until the process ends.
final class ProviderConnection {
    let pointer: OpaquePointer

    /// In milliseconds.
    private static let timeLimit: Int32 = 1_000

    /// Connects to the bus at an address. The process ends when the connection does.
    ///
    /// - Throws: ``Status/notAvailable``.
    init(address: String) throws(KeychainError) {
        // Safe: the address is copied, and the reference is ours.
        guard let pointer = unsafe lanyard_connect(address, nil, nil) else {
            throw KeychainError(
                .notAvailable, "the message bus can't be reached",
                hint: "lanyard exec --secret-service -- COMMAND makes a bus of its own")
        }
        unsafe self.pointer = pointer
        unsafe g_dbus_connection_set_exit_on_close(pointer, 1)
    }

    /// How a request for a name ended.
    enum NameRequest {
        case owned
        /// Another program has it, and we get it after that.
        case queued
        case refused
    }

    /// Requests a name.
    ///
    /// - Parameters:
    ///   - replaces: Whether to take it over from a program that allows that.
    ///   - waits: Whether to get it after another program.
    func request(_ name: String, replaces: Bool = false, waits: Bool = false) -> NameRequest {
        // From the D-Bus specification: DBUS_NAME_FLAG_REPLACE_EXISTING and DBUS_NAME_FLAG_DO_NOT_QUEUE.
        let flags: UInt32 = (replaces ? 2 : 0) | (waits ? 0 : 4)
        let answer = call("RequestName", .tuple([.text(name), .smallNumber(flags)]), "(u)")
        switch answer?[0].smallNumber {
        case 1, 4: return .owned
        case 2: return .queued
        default: return .refused
        }
    }

    func release(_ name: String) {
        _ = call("ReleaseName", .tuple([.text(name)]), "(u)")
    }

    /// Returns the unique name of a name's owner, nil if it has none.
    func owner(of name: String) -> String? {
        call("GetNameOwner", .tuple([.text(name)]), "(s)").map(\.[0].string)
    }

    /// Returns the unique names of a name's owner and of those who wait for it.
    func queue(for name: String) -> [String] {
        call("ListQueuedOwners", .tuple([.text(name)]), "(as)")?[0].children.map(\.string) ?? []
    }

    /// Lets the bus read its configuration and service files again.
    ///
    /// - Returns: The names whose programs it then can start; nil if it does not say so in time.
    func reload() -> [String]? {
        guard call("ReloadConfig", .tuple([]), "()") != nil else {
            return nil
        }
        return call("ListActivatableNames", .tuple([]), "(as)")?[0].children.map(\.string)
    }

    /// Reads a property of another client's object within a second, and starts no program for it.
    func property(
        _ name: String, of interface: String, at path: String, of client: String
    ) -> BusValue? {
        let arguments = BusValue.tuple([.text(interface), .text(name)])
        // Safe: the connection is alive, the texts are copied, and the answer is ours.
        let answer = unsafe lanyard_get_property(
            pointer, client, path, arguments.pointer, ProviderConnection.timeLimit)
        guard let value = unsafe answer.map({ unsafe BusValue(taking: $0) }), value.isOf("(v)")
        else {
            return nil
        }
        return value[0].content
    }

    /// Returns the number of the process behind a client's unique name; nil if it is unknown.
    func process(of client: String) -> Int32? {
        call("GetConnectionUnixProcessID", .tuple([.text(client)]), "(u)")
            .map { Int32(clamping: $0[0].smallNumber) }
    }

    private func call(
        _ method: String, _ arguments: BusValue, _ type: String
    ) -> BusValue? {
        // Safe: the connection is alive, and the answer is ours.
        unsafe lanyard_call_bus(
            pointer, method, arguments.pointer, type, ProviderConnection.timeLimit
        ).map { unsafe BusValue(taking: $0) }
    }

    /// Sends a signal to one client, or to everybody who listens.
    func emit(
        _ signal: String, of interface: String, at path: String, to client: String? = nil,
        _ values: BusValue...
    ) {
        let arguments = BusValue.tuple(values)
        // Safe: the connection is alive; the texts are copied.
        unsafe g_dbus_connection_emit_signal(
            pointer, client, path, interface, signal, arguments.pointer, nil)
    }

    /// Says what has changed of an object's properties.
    func emitChange(of interface: String, at path: String, _ changed: [String: BusValue]) {
        emit(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: path,
            .text(interface), .properties(changed), .array("s", []))
    }

    /// Calls a closure with the unique name of every client that leaves the bus, after its last call.
    func whenClientsLeave(_ body: @escaping (String) -> Void) {
        // One rule for all clients: one for each would cost two more messages for each.
        _ = call(
            "AddMatch",
            .tuple([
                .text(
                    "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg2=''")
            ]), "()")
        // Safe: the closure stays until the process ends.
        unsafe lanyard_subscribe_owners(
            pointer,
            { _, _, _, _, _, arguments, body in
                let values = unsafe BusValue(sharing: arguments!)
                if values.isOf("(sss)"), values[2].text.isEmpty {
                    unsafe Unmanaged<Listener>.fromOpaque(body!).takeUnretainedValue()
                        .body(values[0].string)
                }
            }, Unmanaged.passRetained(Listener(body)).toOpaque())
    }

    private final class Listener {
        let body: (String) -> Void

        init(_ body: @escaping (String) -> Void) {
            self.body = body
        }
    }

    /// Waits until everything is sent.
    func flush() {
        // Safe: the connection is alive.
        unsafe g_dbus_connection_flush_sync(pointer, nil, nil)
    }
}
#endif
