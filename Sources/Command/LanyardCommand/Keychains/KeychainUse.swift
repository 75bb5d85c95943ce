internal import KeychainServices

/// Whether a keychain is searched, and whether new items go to it.
struct KeychainUse {
    /// Its position in the search list, from 1; nil if it is not in it.
    let position: Int?
    /// Whether new items go to it.
    let isDefault: Bool
    /// Why it can't be used now, nil if it can.
    let failure: KeychainError?

    /// Whether it is searched now.
    var isInUse: Bool { position != nil && failure == nil }

    /// The text for users.
    var text: String {
        if let failure {
            return "no, \(failure.reason)"
        }
        guard position != nil else {
            return "no, it is not in the search list"
        }
        return isDefault ? "yes, new logins go here" : "yes"
    }
}
