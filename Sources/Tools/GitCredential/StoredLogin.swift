public import KeychainServices

/// Returns when the password of a git item expires, nil if never.
///
/// - Parameter secret: The secret of an item in the access group `git`.
public func expiry(ofStored secret: borrowing Secret) -> Timestamp? {
    secret.withBytes { text in
        var expiry: Timestamp?
        // The first line is the password, whatever it looks like.
        var end = text.firstIndex(of: Byte.lineFeed)
        while let start = end.map({ $0 + 1 }) {
            end = text.firstIndex(of: Byte.lineFeed, from: start)
            let line = text.extracting(start..<(end ?? text.count))
            if let equalsSign = line.firstIndex(of: Byte.equalsSign),
                RequestKey(line.extracting(..<equalsSign)) == .passwordExpiry
            {
                expiry = Timestamp(expiry: line.extracting((equalsSign + 1)...))
            }
        }
        return expiry
    }
}

/// Returns the secret of an item in the access group `git` with a password.
///
/// - Parameters:
///   - password: One line.
///   - expiry: When it expires; nil if never.
public func stored(password: borrowing Secret, expiry: Timestamp?) -> Secret {
    Login(password: password.copy(), expiry: expiry).intoText()
}

/// Returns what to show for the password of a git item: the password, or the credential of an item without
/// one. The refresh token and other parts are left out.
///
/// - Parameter secret: The secret of an item in the access group `git`.
public func passwordOrCredential(ofStored secret: borrowing Secret) -> Secret {
    let login = Login(text: secret)
    switch login.password {
    case .some(let password): return password.copy()
    case .none: return login.credential.copy() ?? Secret("")
    }
}

/// Returns the password of a git item for a program that can neither renew it nor use another credential; nil without
/// one, and if it has expired.
///
/// - Parameter secret: The secret of an item in the access group `git`.
public func usablePassword(ofStored secret: borrowing Secret, at now: Timestamp) -> Secret? {
    let login = Login(text: secret)
    guard !login.isExpired(at: now) else {
        return nil
    }
    return login.password.copy()
}

/// Whether the login of a git item is unusable: its password has expired, and it has no refresh token for a
/// new one.
///
/// - Parameter secret: The secret of an item in the access group `git`.
public func hasEnded(stored secret: borrowing Secret, at now: Timestamp) -> Bool {
    let login = Login(text: secret)
    return login.isExpired(at: now) && login.refreshToken == nil
}

/// Whether storing a login would leave a git item unchanged: both have the same password, and the login
/// contradicts no further part, such as an expiry.
///
/// - Parameters:
///   - login: The login, in the form of such an item's secret.
///   - stored: The secret of an item in the access group `git`.
public func isSameLogin(
    _ login: borrowing Secret, asStored stored: borrowing Secret
) -> Bool {
    let held = Login(text: stored)
    // At a time when nothing has expired: equality says nothing about validity.
    let beginning = Timestamp(secondsSinceEpoch: Int64.min)
    return Login(text: login).replacing(held, at: beginning).isEqual(to: held)
}
