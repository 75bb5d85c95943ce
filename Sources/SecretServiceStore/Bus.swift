#if SecretService
internal import CGIO
internal import KeychainServices

/// A connection to the session bus, and the program that is the Secret Service there.
///
/// It speaks to that one program alone: if another takes its place, calls fail, and the store
/// connects anew.
@safe  // Safe: it has a reference to the connection, until `deinit`.
final class Bus {
    /// The well-known name.
    static let serviceName = "org.freedesktop.secrets"
    static let servicePath = "/org/freedesktop/secrets"

    let loop: EventLoop
    let connection: OpaquePointer
    private let ownerReply: Reply
    private var knownOwner: String?

    /// Waits for a connection, and asks which program is the Secret Service there; the answer is not
    /// waited for.
    ///
    /// - Throws: ``Status/notAvailable``.
    init(_ opening: BusOpening, _ loop: EventLoop) throws(KeychainError) {
        self.loop = loop
        // Safe: the reference becomes ours, and lives as long as this object.
        unsafe connection = try unsafe opening.wait(loop)
        ownerReply = unsafe Bus.askForOwner(connection, loop)
    }

    deinit {
        // GLib may hold on to it for a while.
        // Safe: the reference is ours, and nothing comes after.
        unsafe g_dbus_connection_close(connection, nil, nil, nil)
        unsafe g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// The folder that XDG_RUNTIME_DIR names.
    static var runtimeFolder: String? {
        // Safe: no thread changes the environment, and the text is copied.
        let folder = unsafe g_getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) }
        return folder.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The address of the user's session bus. A bus is never started to find one.
    ///
    /// - Throws: ``Status/notAvailable`` if there is none.
    static func sessionAddress() throws(KeychainError) -> String {
        // Safe: no thread changes the environment, and texts are copied; the escaped one is freed
        // after that.
        if let address = unsafe g_getenv("DBUS_SESSION_BUS_ADDRESS").map({
            unsafe String(cString: $0)
        }),
            !address.isEmpty,
            !address.split(separator: ";").contains(where: { $0.hasPrefix("autolaunch:") })
        {
            return address
        }
        if let folder = runtimeFolder,
            unsafe g_file_test("\(folder)/bus", G_FILE_TEST_EXISTS) != 0,
            let escaped = unsafe g_dbus_address_escape_value("\(folder)/bus")
        {
            defer { unsafe g_free(escaped) }
            return unsafe "unix:path=\(String(cString: escaped))"
        }
        throw KeychainError(.notAvailable, "there is no session bus")
    }

    /// Sends a call to the Secret Service.
    func send(
        _ path: String, _ interface: String, _ method: String,
        _ arguments: borrowing Variant, answer: StaticString
    ) -> Reply {
        // Safe: the connection is alive.
        unsafe Bus.send(
            connection, loop, to: destination, path, interface, method, arguments, answer: answer,
            Reply { [loop, turn = loop.turn] in
                if turn == loop.turn {
                    loop.hear()
                }
            })
    }

    /// Asks the Secret Service for a sign of life, which is not waited for. The libraries that speak D-Bus
    /// give it in a thread of their own, also while the program is busy.
    func ping() {
        let peer = "org.freedesktop.DBus.Peer"
        _ = send(Bus.servicePath, peer, "Ping", .none, answer: "()")
        // Safe: the connection is alive.
        _ = unsafe Bus.send(
            connection, loop, to: "org.freedesktop.DBus", "/org/freedesktop/DBus", peer, "Ping",
            .none, answer: "()", Reply { [loop] in loop.hearBus() })
    }

    /// Sends a call and waits for its answer.
    func call(
        _ path: String, _ interface: String, _ method: String,
        _ arguments: borrowing Variant, answer: StaticString
    ) throws(KeychainError) -> Variant {
        let reply = send(path, interface, method, arguments, answer: answer)
        try loop.wait { reply.isThere }
        return try reply.take()
    }

    /// Calls the bus itself.
    func callBus(
        _ method: String, _ arguments: borrowing Variant, answer: StaticString
    ) throws(KeychainError) -> Variant {
        // Safe: the connection is alive.
        let reply = unsafe Bus.sendToBus(connection, loop, method, arguments, answer: answer)
        try loop.wait { reply.isThere }
        return try reply.take()
    }

    /// The unique name of the program.
    ///
    /// - Throws: ``Status/notAvailable`` if there is none.
    func owner() throws(KeychainError) -> String {
        if let knownOwner {
            return knownOwner
        }
        try loop.wait { ownerReply.isThere }
        return try take(ownerReply)
    }

    /// Where a call goes: to that one program, once it is known which. The answer is on its way before
    /// that of the first call is, and mostly comes too late for it.
    private var destination: String {
        if knownOwner == nil, ownerReply.isThere {
            _ = try? take(ownerReply)
        }
        return knownOwner ?? Bus.serviceName
    }

    /// Lets the bus start the Secret Service, if there was none.
    ///
    /// - Returns: Whether there is one now and was none before.
    func start() throws(KeychainError) -> Bool {
        guard knownOwner == nil, ownerReply.isThere, !loop.isTimeOver,
            (try? take(ownerReply)) == nil
        else {
            return false
        }
        // Safe: the connection is alive.
        let starting = unsafe Bus.sendToBus(
            connection, loop, "StartServiceByName",
            .tuple(.string(ByteString(Bus.serviceName)), .noFlags), answer: "(u)")
        loop.allowSilence()
        try loop.wait { starting.isThere }
        _ = try starting.take()
        ping()
        // Safe: the connection is alive.
        let reply = unsafe Bus.askForOwner(connection, loop)
        try loop.wait { reply.isThere }
        _ = try take(reply)
        return true
    }

    private func take(_ reply: Reply) throws(KeychainError) -> String {
        let owner = try reply.take().child(0).text.description
        knownOwner = owner
        return owner
    }

    private static func askForOwner(_ connection: OpaquePointer, _ loop: EventLoop) -> Reply {
        // Safe: the caller's connection is alive.
        unsafe sendToBus(
            connection, loop, "GetNameOwner",
            .tuple(.string(ByteString(Bus.serviceName))), answer: "(s)")
    }

    private static func sendToBus(
        _ connection: OpaquePointer, _ loop: EventLoop, _ method: String,
        _ arguments: borrowing Variant, answer: StaticString
    ) -> Reply {
        // Safe: the caller's connection is alive.
        unsafe send(
            connection, loop, to: "org.freedesktop.DBus", "/org/freedesktop/DBus",
            "org.freedesktop.DBus", method, arguments, answer: answer)
    }

    private static func send(
        _ connection: OpaquePointer, _ loop: EventLoop, to destination: String, _ path: String,
        _ interface: String, _ method: String, _ arguments: borrowing Variant,
        answer: StaticString, _ reply: Reply = Reply()
    ) -> Reply {
        // Safe: GLib copies the texts and keeps what it is given by references of its own; it calls
        // back once, with the reference that `userData` made.
        unsafe g_dbus_connection_call(
            connection, destination, path, interface, method, arguments.pointer,
            Variant.type(answer), G_DBUS_CALL_FLAGS_NO_AUTO_START, gint.max, loop.cancellable,
            Reply.callback, reply.userData)
        return reply
    }
}
#endif
