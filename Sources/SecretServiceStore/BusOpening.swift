#if SecretService
internal import CGIO
internal import KeychainServices

/// The opening of a connection to a bus, until it is there. GLib goes on with it in a thread of its own.
@safe  // Safe: it has a reference to the connection, until it hands that over.
final class BusOpening {
    private var connection: OpaquePointer?
    private var error: KeychainError?
    private var isOver: Bool {
        // Safe: only looked at.
        unsafe connection != nil || error != nil
    }

    /// Begins to connect.
    init(address: String, _ loop: EventLoop) {
        loop.sending {
            // Safe: GLib copies the address, and calls back once, with a reference that ends there.
            unsafe g_dbus_connection_new_for_address(
                address,
                GDBusConnectionFlags(
                    G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue),
                nil, loop.cancellable,
                { _, result, data in
                    unsafe Unmanaged<BusOpening>.fromOpaque(data!).takeRetainedValue().finish(
                        result)
                }, unsafe Unmanaged.passRetained(self).toOpaque())
        }
    }

    deinit {
        // Safe: the reference is ours, and nothing comes after.
        if let connection = unsafe connection {
            unsafe g_object_unref(UnsafeMutableRawPointer(connection))
        }
    }

    private func finish(_ result: OpaquePointer?) {
        // Safe: GLib hands over a connection or an error.
        var error: UnsafeMutablePointer<GError>?
        unsafe connection = g_dbus_connection_new_for_address_finish(result, &error)
        self.error = unsafe error.map { unsafe KeychainError(taking: $0) }
    }

    /// The connection, which becomes the caller's to free.
    ///
    /// - Throws: ``Status/notAvailable`` if there is none, or not in time.
    func wait(_ loop: EventLoop) throws(KeychainError) -> OpaquePointer {
        try loop.wait { isOver }
        if let error {
            throw error
        }
        // Safe: the reference goes to the caller.
        guard let connection = unsafe connection else {
            throw KeychainError(.notAvailable, "the session bus can't be reached")
        }
        unsafe self.connection = nil
        return unsafe connection
    }
}
#endif
