internal import Keychains
internal import KeychainServices

/// Whether a keychain is looked in, and whether new items go to it.
struct KeychainUse {
    /// Its place in the search list, from 1; nil if it is not in it.
    let position: Int?
    /// Whether it is the one that new items go to.
    let isDefault: Bool
    /// Why it can't be used now, nil if it can.
    let failure: KeychainError?

    /// Whether it is looked in now.
    var isInUse: Bool { position != nil && failure == nil }

    /// What a person is told.
    var text: String {
        if let failure {
            return "no, \(failure.reason)"
        }
        guard position != nil else {
            return "no, it is not in the search list"
        }
        return isDefault ? "yes, and new logins go here" : "yes"
    }
}
