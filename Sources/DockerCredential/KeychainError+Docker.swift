internal import KeychainServices

/// What docker and its relatives know a failure by: three texts that they compare exactly.
///
/// The corresponding file of docker-credential-helpers is credentials/error.go.
extension KeychainError {
    /// There is no login: not an error for docker, which goes on without one.
    ///
    /// - Parameter hint: Why there is none, if that is worth telling.
    static func notFound(hint: String? = nil) -> KeychainError {
        KeychainError(.itemNotFound, "credentials not found in native keychain", hint: hint)
    }

    static var noServerURL: KeychainError {
        KeychainError(.param, "no credentials server URL")
    }

    static var noUsername: KeychainError {
        KeychainError(.param, "no credentials username")
    }

    /// Whether the keychain can't be read now without being asked for: docker must be able to go on
    /// with what needs no login.
    var isKeychainAbsent: Bool {
        [.interactionNotAllowed, .noSuchKeychain, .notAvailable].contains(status)
    }
}
