public import KeychainServices

/// When the password of an item that git stored ends, nil if it does not.
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

/// The secret of an item in the access group `git` that holds a password.
///
/// - Parameters:
///   - password: One line.
///   - expiry: When it ends; nil if it does not.
public func stored(password: borrowing Secret, expiry: Timestamp?) -> Secret {
    Login(password: password.copy(), expiry: expiry).intoText()
}

/// What to show somebody who asks for the password of an item that git stored: the password, or the
/// credential of an item that has none, without the refresh token and whatever else lies with it.
///
/// - Parameter secret: The secret of an item in the access group `git`.
public func passwordOrCredential(ofStored secret: borrowing Secret) -> Secret {
    let login = Login(text: secret)
    switch login.password {
    case .some(let password): return password.copy()
    case .none: return login.credential.copy() ?? Secret("")
    }
}

/// Whether the login of an item that git stored has ended for good: its password has expired, and there
/// is no refresh token to get another with.
///
/// - Parameter secret: The secret of an item in the access group `git`.
public func hasEnded(stored secret: borrowing Secret, at now: Timestamp) -> Bool {
    let login = Login(text: secret)
    return login.isExpired(at: now) && login.refreshToken == nil
}

/// Whether storing a login would leave an item of git's as it is: both have the same password, and what
/// the item holds beside that, such as an expiry, the login says nothing else of.
///
/// - Parameters:
///   - login: The login, in the form of such an item's secret.
///   - stored: The secret of an item in the access group `git`.
public func isSameLogin(
    _ login: borrowing Secret, asStored stored: borrowing Secret
) -> Bool {
    let held = Login(text: stored)
    // At a moment at which nothing has expired: that it is the same says nothing of its working.
    let beginning = Timestamp(secondsSinceEpoch: Int64.min)
    return Login(text: login).replacing(held, at: beginning).isEqual(to: held)
}
