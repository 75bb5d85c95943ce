public import KeychainServices

/// What git sends to a helper: a description of a login, in full or in part.
///
/// A field that is absent is nil, which differs from an empty one. The corresponding section of
/// git-credential(1) is "INPUT/OUTPUT FORMAT".
public struct GitCredentialRequest: ~Copyable {
    var `protocol`: ByteString?
    /// The host with its port, as git has it.
    var host: ByteString?
    var path: ByteString?
    var username: ByteString?
    /// The confidential fields, whether or not the capability for them was announced.
    var login = Login()
    /// Whether the login is good for this once only.
    var isEphemeral = false
    /// What git said that it understands.
    var capabilities: Capabilities = []
    /// The values of state[] that are this helper's own. Those of others may hold passwords.
    var states: [ByteString] = []

    /// Reads a request.
    ///
    /// - Parameter input: All that came in: lines `key=value` up to a blank line or the end.
    /// - Throws: ``Status/param`` for a line without a `=`, with an empty key, or with a CR or NUL
    ///   in it, and for a second protocol, host, path or username. The error names the line's number and
    ///   nothing of what it holds.
    public init(parsing input: borrowing Secret) throws(KeychainError) {
        try input.withBytes { bytes throws(KeychainError) in
            try read(bytes)
        }
    }

    /// A login that is to be kept.
    ///
    /// Nil if a value has a LF, CR or NUL in it, which git's protocol can't transport.
    ///
    /// - Parameters:
    ///   - host: With its port, if it has one.
    ///   - path: Without the slash before it; nil for a login that is for the whole host.
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

    /// Takes from another request what says which login is meant and is absent here: git does so with
    /// the answer of a helper and what it had asked.
    package mutating func fillAbsent(from asked: borrowing GitCredentialRequest) {
        `protocol` = `protocol` ?? asked.protocol
        host = host ?? asked.host
        path = path ?? asked.path
        username = username ?? asked.username
    }

    /// The login as far as it counts for a store.
    ///
    /// authtype and credential need the capability, and a credential
    /// means nothing without it (git-credential(1)). An empty password beside a credential is
    /// none: see ``Login/init(text:)``.
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

    /// What an item must hold to be erased: password and credential as far as they are present,
    /// also without the capability, so that nothing else is erased in their place.
    borrowing func loginToErase() -> Login {
        var result = Login(
            password: login.password.copy(), credential: login.credential.copy())
        result.dropEmptyPasswordBesideCredential()
        return result
    }
}
