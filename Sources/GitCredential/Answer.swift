internal import KeychainServices

/// What one item gives as the answer to a get.
struct Answer: ~Copyable {
    let username: ByteString?
    let login: Login

    /// What of an item may be told, nil if that is no answer.
    ///
    /// - An item that holds nothing but a credential is none without the capability authtype.
    /// - Of an item whose password has expired, username and refresh token are left.
    init?(
        username: ByteString?, _ login: consuming Login, _ capabilities: Capabilities,
        now: Timestamp
    ) {
        if !capabilities.contains(.authtype) {
            login.authtype = nil
        }
        if login.authtype == nil {
            login.credential = nil
        }
        guard login.password != nil || login.credential != nil else {
            return nil
        }
        if login.isExpired(at: now) {
            guard username != nil || login.refreshToken != nil else {
                return nil
            }
            login = Login(refreshToken: login.refreshToken.copy())
        }
        self.username = username
        self.login = login
    }

    /// Whether git could not read a value as it is: one with LF, CR or NUL in it.
    var isUnprintable: Bool {
        username.hasLineBreakOrNUL || login.authtype.hasLineBreakOrNUL
            || login.password.hasLineBreakOrNUL || login.refreshToken.hasLineBreakOrNUL
            || login.credential.hasLineBreakOrNUL
    }

    /// The lines for git, those of the capabilities that are used first.
    borrowing func lines(state: ByteString?) -> Secret {
        var lines = SecretBuilder(capacity: 1_024)
        if login.authtype != nil {
            lines.append(.capability, "authtype", after: "\n")
        }
        if state != nil {
            lines.append(.capability, "state", after: "\n")
        }
        lines.append(.username, username, after: "\n")
        lines.append(.password, login.password, after: "\n")
        lines.append(.passwordExpiry, login.expiry.map { ByteString(expiry: $0) }, after: "\n")
        lines.append(.refreshToken, login.refreshToken, after: "\n")
        lines.append(.authtype, login.authtype, after: "\n")
        lines.append(.credential, login.credential, after: "\n")
        lines.append(.state, state, after: "\n")
        return lines.finish()
    }
}

extension ByteString? {
    fileprivate var hasLineBreakOrNUL: Bool {
        self?.bytes.span.hasLineBreakOrNUL ?? false
    }
}
