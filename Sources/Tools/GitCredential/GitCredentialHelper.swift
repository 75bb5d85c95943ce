public import KeychainServices

/// Git's logins in a keychain: implements each operation of a credential helper.
///
/// Items are internet passwords in the access group `git`. Their secrets have the format of
/// git-credential-libsecret. The corresponding section of gitcredentials(7) is "CUSTOM HELPERS".
public struct GitCredentialHelper {
    /// The group that separates git's items from other tools'.
    public static let accessGroup: ByteString = "git"

    let keychain: Keychain
    let now: Timestamp
    let stateDigest: (borrowing Secret) -> [UInt8]?

    /// Creates a helper that stores logins in a keychain.
    ///
    /// - Parameters:
    ///   - now: The time to compare expiry dates with.
    ///   - stateDigest: Computes a digest under this machine's own key, nil without such a key. It
    ///     recognizes a store of the login that get has just returned.
    public init(
        keychain: Keychain, now: Timestamp, stateDigest: @escaping (borrowing Secret) -> [UInt8]?
    ) {
        self.keychain = keychain
        self.now = now
        self.stateDigest = stateDigest
    }

    /// Calls a closure for each item that equals the attributes, latest first. Without one, a host with capitals
    /// means the one in small letters, in which `lanyard set` stores it.
    func forEachItem(
        _ attributes: ItemAttributes, returns: ReturnOptions,
        _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        var query = Query(.internetPassword, attributes, returns: returns)
        query.match.limit = .all
        var isFound = false
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            isFound = true
            return try body(item)
        }
        if !isFound, let server = attributes.server, server != server.lowercasedASCII {
            query.attributes.server = server.lowercasedASCII
            try keychain.forEachMatch(query, body)
        }
    }
}

extension MatchedItem {
    /// Returns the item's login, if the query asked for its secret.
    borrowing func login() -> Login {
        switch secret {
        case .some(let text): Login(text: text)
        case .none: Login()
        }
    }
}
