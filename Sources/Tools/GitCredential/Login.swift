internal import KeychainServices

/// The confidential parts of a login, in a request or an item.
struct Login: ~Copyable {
    var password: Secret?
    /// When password and credential expire; nil if never.
    var expiry: Timestamp?
    var refreshToken: Secret?
    /// The scheme of the credential, for example `Bearer`.
    var authtype: ByteString?
    /// Sent to the server instead of a username and a password.
    var credential: Secret?

    /// Whether password and credential have expired. As in git, one expiry applies to both.
    func isExpired(at now: Timestamp) -> Bool {
        expiry.map { $0 < now } ?? false
    }

    /// Whether the password is the only part.
    var isPasswordAlone: Bool {
        expiry == nil && refreshToken == nil && authtype == nil && credential == nil
    }

    /// Whether every part is equal, or absent, in both.
    borrowing func isEqual(to other: borrowing Login) -> Bool {
        password.isEqual(to: other.password)
            && credential.isEqual(to: other.credential)
            && refreshToken.isEqual(to: other.refreshToken)
            && authtype == other.authtype
            && expiry == other.expiry
    }

    /// Whether the other login has the same password and credential, as far as they are present here.
    borrowing func hasSameKeys(as other: borrowing Login) -> Bool {
        (password == nil || password.isEqual(to: other.password))
            && (credential == nil || credential.isEqual(to: other.credential))
    }

    /// Returns this login in the form that replaces another.
    ///
    /// A git that does not know a part drops it between get and store (2.39 drops everything but the
    /// password). If password and credential are unchanged, the new login therefore inherits its absent
    /// parts. It never inherits a past expiry, because a server has just accepted the login.
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
