public import KeychainServices

/// A request from git to a helper: a complete or partial description of a login.
///
/// A nil field is absent, which differs from an empty one. The corresponding section of git-credential(1)
/// is "INPUT/OUTPUT FORMAT".
public struct GitCredentialRequest: ~Copyable {
    var `protocol`: ByteString?
    /// The host with its port, in git's form.
    var host: ByteString?
    var path: ByteString?
    var username: ByteString?
    /// The confidential fields, whether or not git announced the capability for them.
    var login = Login()
    /// Whether the login works only once.
    var isEphemeral = false
    /// The capabilities that git announced.
    var capabilities: Capabilities = []
    /// This helper's own values of state[]. Those of others may contain passwords.
    var states: [ByteString] = []

    /// Reads a request.
    ///
    /// - Parameter input: The whole input: lines `key=value` up to a blank line or the end.
    /// - Throws: ``Status/param`` for a line without a `=`, with an empty key, or with a CR or NUL in it,
    ///   and for a second protocol, host, path or username. The error gives the line's number and none of
    ///   its content.
    public init(parsing input: borrowing Secret) throws(KeychainError) {
        try input.withBytes { bytes throws(KeychainError) in
            try read(bytes)
        }
    }

    /// Creates a request to store a login.
    ///
    /// Nil if a value contains a LF, CR or NUL, which git's protocol can't transport.
    ///
    /// - Parameters:
    ///   - host: With its port, if it has one.
    ///   - path: Without its leading slash; nil for a login for the whole host.
    public init?(
        protocol: ByteString, host: ByteString, path: ByteString?, username: ByteString?,
        password: consuming Secret
    ) {
        guard !`protocol`.bytes.span.hasLineBreakOrNUL, !host.bytes.span.hasLineBreakOrNUL,
            path?.bytes.span.hasLineBreakOrNUL != true,
            username?.bytes.span.hasLineBreakOrNUL != true
        else {
            return nil
        }
        guard !password.withBytes({ $0.hasLineBreakOrNUL }) else {
            return nil
        }
        self.protocol = `protocol`
        self.host = host
        self.path = path
        self.username = username
        login.password = consume password
    }

    /// Fills absent identifying fields from another request, as git does with a helper's answer and its own
    /// request.
    package mutating func fillAbsent(from asked: borrowing GitCredentialRequest) {
        `protocol` = `protocol` ?? asked.protocol
        host = host ?? asked.host
        path = path ?? asked.path
        username = username ?? asked.username
    }

    /// Returns the parts of the login that a store uses.
    ///
    /// authtype and credential need the capability, and a credential means nothing without it
    /// (git-credential(1)). An empty password next to a credential counts as none: see
    /// ``Login/init(text:)``.
    borrowing func loginToKeep() -> Login {
        var result = Login(
            password: login.password.copy(), expiry: login.expiry,
            refreshToken: login.refreshToken.copy())
        if capabilities.contains(.authtype), let authtype = login.authtype {
            result.authtype = authtype
            result.credential = login.credential.copy()
            result.dropEmptyPasswordBesideCredential()
        }
        return result
    }

    /// Returns what an item must contain to be erased: password and credential if present, even without the
    /// capability. Ignoring them would erase other items.
    borrowing func loginToErase() -> Login {
        var result = Login(
            password: login.password.copy(), credential: login.credential.copy())
        result.dropEmptyPasswordBesideCredential()
        return result
    }
}
