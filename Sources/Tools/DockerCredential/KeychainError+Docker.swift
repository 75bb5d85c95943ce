internal import KeychainServices

/// The errors that docker and related tools recognize by three exact texts.
///
/// The corresponding file of docker-credential-helpers is credentials/error.go.
extension KeychainError {
    /// Returns the error for a missing login, which docker does not treat as an error: it continues without
    /// one.
    ///
    /// - Parameter hint: Why the login is missing, if worth reporting.
    static func notFound(hint: String? = nil) -> KeychainError {
        KeychainError(.itemNotFound, "credentials not found in native keychain", hint: hint)
    }

    static var noServerURL: KeychainError {
        KeychainError(.param, "no credentials server URL")
    }

    static var noUsername: KeychainError {
        KeychainError(.param, "no credentials username")
    }

    /// Whether the keychain can't be read now without a prompt: docker must be able to do work that needs
    /// no login.
    var isKeychainAbsent: Bool {
        [.interactionNotAllowed, .noSuchKeychain, .notAvailable].contains(status)
    }
}
