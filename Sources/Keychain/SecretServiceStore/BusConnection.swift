#if SecretService
internal import CLibsecret
internal import KeychainServices
internal import LinuxSystem

/// A connection to a D-Bus bus.
@safe  // Safe: it has a reference to the connection, which GLib lets any thread use.
final class BusConnection: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Connects to the bus at an address.
    ///
    /// - Throws: ``Status/notAvailable`` if that fails or takes too long.
    init(address: String, _ watch: CallWatch) throws(KeychainError) {
        // Safe: this object becomes the connection's owner.
        let pointer = try unsafe watch.attempt { failure in
            unsafe lanyard_connect(address, watch.cancellable, failure.pointer)
        }
        guard let pointer = unsafe pointer else {
            throw KeychainError(.notAvailable, "the session bus can't be reached")
        }
        unsafe self.pointer = pointer
    }

    deinit {
        close()
        // Safe: the reference is ours, and this is its last use.
        unsafe g_object_unref(UnsafeMutableRawPointer(pointer))
    }

    var isClosed: Bool {
        // Safe: the connection is alive.
        unsafe g_dbus_connection_is_closed(pointer) != 0
    }

    /// Closes the connection, which ends every call on it, without waiting.
    func close() {
        // Safe: the connection is alive.
        unsafe g_dbus_connection_close(pointer, nil, nil, nil)
    }

    /// Returns whether a program gives a sign of life within some milliseconds.
    func answers(_ name: String, within milliseconds: Int64) -> Bool {
        // Safe: the connection is alive.
        unsafe lanyard_ping(pointer, name, gint(clamping: milliseconds)) != 0
    }

    /// Returns the unique name behind a well-known one.
    ///
    /// - Throws: ``Status/notAvailable`` if no program owns it.
    func owner(of name: String, _ watch: CallWatch) throws(KeychainError) -> String {
        // Safe: the answer is a copy, which is freed after reading.
        let owner = try unsafe watch.attempt { failure in
            unsafe lanyard_name_owner(pointer, name, watch.cancellable, failure.pointer)
        }
        defer { unsafe g_free(owner) }
        guard let owner = unsafe owner else {
            throw KeychainError(.io, "invalid answer from the session bus")
        }
        return unsafe String(cString: owner)
    }

    /// Returns the unique names of all programs that have or wait for a well-known one.
    func owners(of name: String, _ watch: CallWatch) throws(KeychainError) -> [String] {
        // Safe: the names are copies, which are freed after reading.
        let names = try unsafe watch.attempt { failure in
            unsafe lanyard_name_owners(pointer, name, watch.cancellable, failure.pointer)
        }
        return unsafe [String](taking: names)
    }

    /// Returns the process behind a unique name, 0 if the bus does not know it.
    func process(of name: String, _ watch: CallWatch) throws(KeychainError) -> Int32 {
        // Safe: the connection is alive.
        try Int32(
            clamping: watch.attempt { failure in
                unsafe lanyard_process(pointer, name, watch.cancellable, failure.pointer)
            })
    }

    /// Returns the names whose programs the bus can start.
    func activatableNames(_ watch: CallWatch) throws(KeychainError) -> [String] {
        // Safe: the names are copies, which are freed after reading.
        let names = try unsafe watch.attempt { failure in
            unsafe lanyard_activatable_names(pointer, watch.cancellable, failure.pointer)
        }
        return unsafe [String](taking: names)
    }

    /// Makes the bus start the program behind a name.
    func start(_ name: String, _ watch: CallWatch) throws(KeychainError) {
        // Safe: the connection is alive.
        _ = try watch.attempt { failure in
            unsafe lanyard_start(pointer, name, watch.cancellable, failure.pointer)
        }
    }
}

extension BusConnection {
    /// The folder that XDG_RUNTIME_DIR names.
    static var runtimeFolder: String? {
        // Safe: no thread changes the environment, and the text is copied.
        let folder = unsafe g_getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) }
        return folder.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Returns the address of the user's session bus, without ever starting a bus.
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
            (try? SystemCalls.statusBehindLinks(at: "\(folder)/bus")) != nil,
            let escaped = unsafe g_dbus_address_escape_value("\(folder)/bus")
        {
            defer { unsafe g_free(escaped) }
            return unsafe "unix:path=\(String(cString: escaped))"
        }
        throw KeychainError(.notAvailable, "there is no session bus")
    }
}
#endif
