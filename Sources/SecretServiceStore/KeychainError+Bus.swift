#if SecretService
internal import CGIO
internal import KeychainServices

extension KeychainError {
    /// What an error of GLib's means. Its text may repeat attributes, so none of it is kept but the
    /// name that D-Bus has for the error.
    init(taking error: UnsafeMutablePointer<GError>) {
        // Safe: the caller hands the error over; its name is a copy, which is ours to free.
        defer { unsafe g_error_free(error) }
        guard let remote = unsafe g_dbus_error_get_remote_error(error) else {
            self = unsafe KeychainError.ofBus(error.pointee)
            return
        }
        let name = unsafe String(cString: remote)
        unsafe g_free(remote)
        self.init(remote: name)
    }

    private init(remote name: String) {
        let bus = "org.freedesktop.DBus.Error."
        let secret = "org.freedesktop.Secret.Error."
        switch name {
        case secret + "IsLocked":
            self.init(.interactionNotAllowed)
        case secret + "NoSuchObject", bus + "UnknownObject", bus + "UnknownMethod",
            bus + "UnknownInterface":
            self.init(.itemNotFound)
        case bus + "ServiceUnknown", bus + "NameHasNoOwner":
            self.init(.notAvailable, "there is no Secret Service on the session bus")
        case bus + "NoReply", bus + "Timeout", bus + "TimedOut", bus + "Disconnected":
            self.init(.notAvailable, "the Secret Service ended before it answered")
        case bus + "LimitsExceeded", bus + "NoMemory":
            self.init(.dataTooLarge, "the Secret Service can't take so much")
        case _ where name.hasPrefix(bus + "Spawn"):
            self.init(.notAvailable, "the Secret Service can't be started")
        case bus + "AccessDenied":
            self.init(.notAvailable, "the session bus denies access to the Secret Service")
        default:
            self.init(.io, "the Secret Service failed with \(name)")
        }
    }

    /// What the program itself, or its connection, failed with.
    private static func ofBus(_ error: GError) -> KeychainError {
        // Safe: numbers are read, and no pointer is.
        if unsafe error.domain == g_io_error_quark(),
            unsafe error.code == Int32(G_IO_ERROR_TIMED_OUT.rawValue)
                || error.code == Int32(G_IO_ERROR_CANCELLED.rawValue)
        {
            return KeychainError(.notAvailable, "the Secret Service did not answer in time")
        }
        if unsafe error.domain == g_io_error_quark() || error.domain == g_dbus_error_quark() {
            return KeychainError(.notAvailable, "the session bus can't be reached")
        }
        return KeychainError(.io, "the Secret Service's answer can't be understood")
    }
}
#endif
