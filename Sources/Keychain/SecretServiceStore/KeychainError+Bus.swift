#if SecretService
internal import CLibsecret
internal import KeychainServices

extension KeychainError {
    /// Creates an error from GLib's. Its text may repeat attributes, so only D-Bus's name of the
    /// error is used.
    init(taking error: UnsafeMutablePointer<GError>) {
        // Safe: the caller hands the error over; its name is a copy, which is freed after reading.
        defer { unsafe g_error_free(error) }
        let domain = unsafe error.pointee.domain
        if domain == g_io_error_quark() {
            self = unsafe KeychainError.ofConnection(error.pointee.code)
        } else if domain == lanyard_prompt_quark() {
            self =
                unsafe Int(error.pointee.code) == LANYARD_PROMPT_DISMISSED
                ? KeychainError(.userCanceled, "the Secret Service's prompt was dismissed")
                : KeychainError(.interactionNotAllowed)
        } else {
            self = unsafe KeychainError(
                remote: String(taking: g_dbus_error_encode_gerror(error)) ?? "")
        }
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
            self.init(.notAvailable, "the Secret Service exited before it answered")
        case bus + "LimitsExceeded", bus + "NoMemory":
            self.init(.dataTooLarge, "the Secret Service can't store so much")
        case _ where name.hasPrefix(bus + "Spawn"):
            self.init(.notAvailable, "the Secret Service can't be started")
        case bus + "AccessDenied":
            self.init(.notAvailable, "the session bus denies access to the Secret Service")
        case _ where name.hasPrefix(bus):
            self.init(.io, "the Secret Service failed with \(name)")
        default:
            self.init(.io, "invalid answer from the Secret Service")
        }
    }

    /// Returns the error of the program itself or its connection.
    private static func ofConnection(_ code: gint) -> KeychainError {
        switch UInt32(bitPattern: code) {
        case G_IO_ERROR_TIMED_OUT.rawValue, G_IO_ERROR_CANCELLED.rawValue:
            KeychainError(.notAvailable, "the Secret Service did not answer in time")
        case G_IO_ERROR_DBUS_ERROR.rawValue:
            KeychainError(.io, "the Secret Service failed")
        case G_IO_ERROR_INVALID_ARGUMENT.rawValue:
            KeychainError(.io, "invalid answer from the Secret Service")
        default: KeychainError(.notAvailable, "the session bus can't be reached")
        }
    }
}
#endif
