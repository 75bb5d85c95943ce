internal import KeychainServices

/// How far the available keys reach in a transaction.
enum KeybagSession {
    /// They open the keybag: attributes are readable, and secrets as far as ``ClassKeyState`` says.
    case open(Records)
    /// They don't open it, as on another machine; its passphrase or its recovery key does.
    case locked
    /// No passphrase or recovery key opens it here.
    case foreign(KeychainError)

    /// The open records.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` or ``Status/authFailed`` if it is not open.
    var state: Records {
        get throws(KeychainError) {
            switch self {
            case .open(let state): return state
            case .locked: throw UnlockedKeys.locked
            case .foreign(let error): throw error
            }
        }
    }

    /// Returns whether every secret that is not bound to another machine can be read.
    func isUnlocked() throws(KeychainError) -> Bool {
        switch self {
        case .open(let state): try state.keys.isUnlocked()
        case .locked: false
        case .foreign(let error): throw error
        }
    }
}

/// Whether a class key is available.
enum ClassKeyState {
    case atHand(ClassKey)
    /// After the keychain is unlocked.
    case locked
    /// Not on this machine.
    case elsewhere(KeychainError)
}
