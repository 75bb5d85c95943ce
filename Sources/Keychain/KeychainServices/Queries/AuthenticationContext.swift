/// What a program supplies for secrets whose access control asks for more than an unlocked keychain,
/// and the program that it serves.
///
/// Two contexts are equal if they are the same object. The corresponding class is LAContext, which
/// kSecUseAuthenticationContext takes.
public final class AuthenticationContext: Hashable, Sendable {
    /// The password for items with ``AccessControl/Flags/applicationPassword``, nil for none. The
    /// corresponding type of credential is LACredentialTypeApplicationPassword.
    public let applicationPassword: Secret?
    /// The program for which this one uses the items, nil if it uses them for itself. An item's
    /// trusted applications must list the requester, not this program.
    public let requester: RequestingProgram?

    /// Creates a context with a password.
    ///
    /// - Parameters:
    ///   - applicationPassword: The application's password, at least one byte.
    ///   - requester: The program for which this one uses the items.
    public init(applicationPassword: consuming Secret, requester: RequestingProgram? = nil) {
        self.applicationPassword = .some(applicationPassword)
        self.requester = requester
    }

    /// Creates a context for a service that uses items for another program.
    public init(requester: RequestingProgram) {
        applicationPassword = nil
        self.requester = requester
    }

    /// Creates a context for a service that uses items for another program.
    ///
    /// - Parameter requester: The executable of that program.
    public convenience init(requester: TrustedApplication) {
        self.init(requester: RequestingProgram(requester))
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
