internal import KeychainServices

/// The answer to a get, made from one item.
struct Answer: ~Copyable {
    let username: ByteString?
    let login: Login

    /// Takes from an item what git may see; nil if that is not an answer.
    ///
    /// - An item with only a credential needs the capability authtype.
    /// - An item with an expired password still yields username and refresh token.
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

    /// Whether git could not read one of its values, which contains LF, CR or NUL.
    var isUnprintable: Bool {
        username.hasLineBreakOrNUL || login.authtype.hasLineBreakOrNUL
            || login.password.hasLineBreakOrNUL || login.refreshToken.hasLineBreakOrNUL
            || login.credential.hasLineBreakOrNUL
    }

    /// Returns the lines for git, with the capabilities in use first.
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
