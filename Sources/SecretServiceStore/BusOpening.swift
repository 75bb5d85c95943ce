#if SecretService
internal import CGIO
internal import Keychain

/// The opening of a connection to a bus, until it is there. GLib goes on with it in a thread of its own.
final class BusOpening {
    private var connection: OpaquePointer?
    private var error: KeychainError?
    private var isOver: Bool { connection != nil || error != nil }

    /// Begins to connect.
    init(address: String, _ loop: EventLoop) {
        loop.sending {
            g_dbus_connection_new_for_address(
                address,
                GDBusConnectionFlags(
                    G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue),
                nil, loop.cancellable,
                { _, result, data in
                    Unmanaged<BusOpening>.fromOpaque(data!).takeRetainedValue().finish(result)
                }, Unmanaged.passRetained(self).toOpaque())
        }
    }

    deinit {
        if let connection {
            g_object_unref(UnsafeMutableRawPointer(connection))
        }
    }

    private func finish(_ result: OpaquePointer?) {
        var error: UnsafeMutablePointer<GError>?
        connection = g_dbus_connection_new_for_address_finish(result, &error)
        self.error = error.map { KeychainError(taking: $0) }
    }

    /// The connection, which becomes the caller's to free.
    ///
    /// - Throws: ``Status/notAvailable`` if there is none, or not in time.
    func wait(_ loop: EventLoop) throws(KeychainError) -> OpaquePointer {
        try loop.wait { isOver }
        if let error {
            throw error
        }
        guard let connection else {
            throw KeychainError(.notAvailable, "the session bus can't be reached")
        }
        self.connection = nil
        return connection
    }
}
#endif
