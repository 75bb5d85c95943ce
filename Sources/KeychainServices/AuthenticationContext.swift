/// What a program supplies for secrets whose access control asks for more than an unlocked keychain.
///
/// Two contexts are equal if they are the same object. The corresponding class is LAContext, which
/// kSecUseAuthenticationContext takes.
public final class AuthenticationContext: Hashable, Sendable {
    /// The password for items with ``AccessControl/Flags/applicationPassword``. The corresponding
    /// type of credential is LACredentialTypeApplicationPassword.
    public let applicationPassword: Secret

    /// Creates a context.
    ///
    /// - Parameter applicationPassword: The application's password, at least one byte.
    public init(applicationPassword: consuming Secret) {
        self.applicationPassword = applicationPassword
    }

    /// Whether both are the same object.
    public static func == (one: AuthenticationContext, other: AuthenticationContext) -> Bool {
        one === other
    }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
