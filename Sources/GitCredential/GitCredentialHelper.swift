public import KeychainServices

/// Git's logins in a keychain: what a credential helper does at each of git's calls.
///
/// Items are internet passwords in the access group `git`. Their secrets have the format of
/// git-credential-libsecret. The corresponding section of gitcredentials(7) is "CUSTOM HELPERS".
public struct GitCredentialHelper {
    /// The group that keeps git's items apart from other tools'.
    public static let accessGroup: ByteString = "git"

    let keychain: Keychain
    let now: Timestamp
    let stateDigest: (borrowing Secret) -> [UInt8]?

    /// A helper that keeps logins in a keychain.
    ///
    /// - Parameters:
    ///   - now: By which a password has expired or not.
    ///   - stateDigest: A digest of bytes under a key that is this machine's own, nil where there
    ///     is no such key. By it a store of what get has just answered is known.
    public init(
        keychain: Keychain, now: Timestamp, stateDigest: @escaping (borrowing Secret) -> [UInt8]?
    ) {
        self.keychain = keychain
        self.now = now
        self.stateDigest = stateDigest
    }

    /// Calls a closure for each item that equals the attributes, last added or changed first.
    func forEachItem(
        _ attributes: ItemAttributes, returns: ReturnOptions,
        _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        var query = Query(.internetPassword, attributes, returns: returns)
        query.match.limit = .all
        try keychain.forEachMatch(query, body)
    }
}

extension MatchedItem {
    /// The login that the item holds, if its secret was asked for.
    borrowing func login() -> Login {
        switch secret {
        case .some(let text): Login(text: text)
        case .none: Login()
        }
    }
}
