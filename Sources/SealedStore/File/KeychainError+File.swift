internal import KeychainServices
internal import LinuxSystem

extension KeychainError {
    /// Returns the error with the keychain's file and the reason, if it has no text of its own.
    func naming(_ file: String) -> KeychainError {
        guard ownReason == nil else {
            return self
        }
        let text: String
        switch status {
        case .readOnly, .writePermissions:
            let why = SystemCalls.refusalToWrite(file).map { ": \($0)" } ?? ""
            text = "can't write the keychain '\(file)'\(why)"
        case .diskFull: text = "can't write the keychain '\(file)': the disk is full"
        case .invalidKeychain: text = "'\(file)' is not a keychain or is damaged"
        case .decode: text = "an item of the keychain '\(file)' is damaged or was tampered with"
        default: return self
        }
        return KeychainError(status, text, hint: hint)
    }
}
