internal import KeychainServices

/// What is confidential in a login, be it a request's or an item's.
struct Login: ~Copyable {
    var password: Secret?
    /// When password and credential end; nil if they do not.
    var expiry: Timestamp?
    var refreshToken: Secret?
    /// The scheme of the credential, for example `Bearer`.
    var authtype: ByteString?
    /// What is sent to the server in place of a username and a password.
    var credential: Secret?

    /// Whether password and credential have ended. As git does, an expiry is taken to hold for
    /// both.
    func isExpired(at now: Timestamp) -> Bool {
        expiry.map { $0 < now } ?? false
    }

    /// Whether nothing stands beside the password.
    var isPasswordAlone: Bool {
        expiry == nil && refreshToken == nil && authtype == nil && credential == nil
    }

    /// Whether every part is the same, or absent, in both.
    borrowing func isEqual(to other: borrowing Login) -> Bool {
        password.isEqual(to: other.password)
            && credential.isEqual(to: other.credential)
            && refreshToken.isEqual(to: other.refreshToken)
            && authtype == other.authtype
            && expiry == other.expiry
    }

    /// Whether the password and the credential that are present here are the same there.
    borrowing func hasSameKeys(as other: borrowing Login) -> Bool {
        (password == nil || password.isEqual(to: other.password))
            && (credential == nil || credential.isEqual(to: other.credential))
    }

    /// This login as it is to be kept in the place of another.
    ///
    /// A git that does not know a part drops it between get and store (2.39 drops everything but
    /// the password). So where password and credential have not changed, the parts that are absent
    /// here are taken over, but no expiry that has passed: this login has just been accepted.
    borrowing func replacing(_ old: borrowing Login, at now: Timestamp) -> Login {
        guard hasSameKeys(as: old) else {
            return copy()
        }
        var result = copy()
        result.password = password.copy() ?? old.password.copy()
        result.refreshToken = refreshToken.copy() ?? old.refreshToken.copy()
        result.authtype = authtype ?? old.authtype
        if result.authtype == old.authtype {
            result.credential = credential.copy() ?? old.credential.copy()
        }
        if expiry == nil, !old.isExpired(at: now) {
            result.expiry = old.expiry
        }
        return result
    }

    private borrowing func copy() -> Login {
        Login(
            password: password.copy(), expiry: expiry, refreshToken: refreshToken.copy(),
            authtype: authtype, credential: credential.copy())
    }
}
