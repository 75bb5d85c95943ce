#if SecretService
internal import KeychainServices

/// An error as D-Bus sends it.
struct BusError: Error {
    /// For example `org.freedesktop.Secret.Error.IsLocked`.
    let name: String
    /// One line for users.
    let text: String

    private init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    static func invalidArguments(_ text: String) -> BusError {
        BusError("org.freedesktop.DBus.Error.InvalidArgs", text)
    }

    static func notSupported(_ text: String) -> BusError {
        BusError("org.freedesktop.DBus.Error.NotSupported", text)
    }

    static func limitsExceeded(_ text: String) -> BusError {
        BusError("org.freedesktop.DBus.Error.LimitsExceeded", text)
    }

    static let unknownObject = BusError(
        "org.freedesktop.DBus.Error.UnknownObject", "there is no such object")
    static let isLocked = BusError(
        "org.freedesktop.Secret.Error.IsLocked", "the collection or the item is locked")
    static let noSession = BusError(
        "org.freedesktop.Secret.Error.NoSession", "there is no such session of this client")
    static let noSuchObject = BusError(
        "org.freedesktop.Secret.Error.NoSuchObject", "there is no such item or collection")

    /// The error for a failure of a keychain.
    init(_ error: KeychainError) {
        switch error.status {
        case .interactionNotAllowed, .userCanceled, .authFailed: self = .isLocked
        case .itemNotFound: self = .noSuchObject
        case .dataTooLarge: self = .limitsExceeded(error.reason)
        case .param: self = .invalidArguments(error.reason)
        case .unimplemented: self = .notSupported(error.reason)
        case .readOnly, .writePermissions:
            self.init("org.freedesktop.DBus.Error.AccessDenied", error.reason)
        default: self.init("org.freedesktop.DBus.Error.Failed", error.reason)
        }
    }
}
#endif
