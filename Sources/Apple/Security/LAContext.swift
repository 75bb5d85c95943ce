internal import KeychainServices
internal import KeychainServicesFoundation

/// What a program supplies for items with an access control: the value of
/// ``kSecUseAuthenticationContext``. The class of this name is Apple's module LocalAuthentication's.
public final class LAContext: NSObject {
    /// The reason to show to a user who is asked, empty for none.
    public var localizedReason = ""
    /// Whether the user may not be asked; what needs a question is errSecInteractionNotAllowed then.
    public var interactionNotAllowed = false
    private(set) var authentication: AuthenticationContext?

    /// Creates a context without a credential.
    public override init() {}

    /// Sets or removes a credential.
    ///
    /// - Parameters:
    ///   - credential: The application's password, nil to remove it. Lanyard can't wipe this copy.
    ///   - type: Only the application's password can be set.
    /// - Returns: Whether it was set; false for an empty one.
    public func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        guard credential?.isEmpty != true else {
            return false
        }
        authentication = credential.map { AuthenticationContext(applicationPassword: Secret($0)) }
        return true
    }

    /// Removes the credential, and lets nothing be asked any more.
    public func invalidate() {
        authentication = nil
        interactionNotAllowed = true
    }

    /// Returns whether a credential is set.
    public func isCredentialSet(_ type: LACredentialType) -> Bool { authentication != nil }
}

/// The type of a credential.
public enum LACredentialType: Int, Sendable {
    /// The application's password: LACredentialTypeApplicationPassword.
    case applicationPassword = 0
}
