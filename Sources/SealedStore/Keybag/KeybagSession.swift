internal import KeychainServices

/// What the keys at hand come to in a transaction.
enum KeybagSession {
    /// They open the keybag: attributes can be read, and secrets as far as ``ClassKeyState`` says.
    case open(Records)
    /// They don't open it, as on a machine that it was brought to; its passphrase or its recovery key does.
    case locked
    /// Nothing that could be given here opens it.
    case foreign(KeychainError)

    /// What is open.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` or ``Status/authFailed`` if it is not.
    var state: Records {
        get throws(KeychainError) {
            switch self {
            case .open(let state): return state
            case .locked: throw UnlockedKeys.locked
            case .foreign(let error): throw error
            }
        }
    }

    /// Whether every secret can be read that is not bound to another machine.
    func isUnlocked() throws(KeychainError) -> Bool {
        switch self {
        case .open(let state): try state.keys.isUnlocked()
        case .locked: false
        case .foreign(let error): throw error
        }
    }
}

/// Whether a class key can be had.
enum ClassKeyState {
    case atHand(ClassKey)
    /// Once the keychain is unlocked.
    case locked
    /// Not here.
    case elsewhere(KeychainError)
}
