internal import KeychainServices
internal import LinuxSystem

extension KeychainError {
    /// Returns the error with the keychain's file and the reason, if it has no text of its own.
    ///
    /// - Parameter name: The keychain's name for the hint; nil for a copy.
    func naming(_ file: String, of name: String? = nil) -> KeychainError {
        guard ownReason == nil else {
            return status == .writePermissions && hint == nil
                ? KeychainError(status, reason, hint: PrivatePlace.permissionHint(file)) : self
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
        let isDamaged = status == .invalidKeychain
        return KeychainError(
            status, text, hint: isDamaged ? name.map { KeychainError.restoring($0) } ?? hint : hint)
    }

    /// Returns how to go on without a keychain's file, or with a damaged one.
    ///
    /// - Parameter what: What to restore.
    static func restoring(_ name: String, _ what: String = "it from a backup") -> String {
        let option = name == "login" ? "" : " --keychain \(name)"
        return "restore \(what): lanyard restore\(option) FILE;"
            + " or forget it: lanyard keychain delete \(name)"
    }

    /// Returns an error of a keychain that no key here opens, with how to go on without its machine key.
    func withoutMachineKey(_ location: KeychainLocation) -> KeychainError {
        guard let hint, !location.isOfCopy else {
            return self
        }
        let others = KeychainError.restoring(location.name, "a backup that has a recovery key")
        let start = "the keychain "
        let named =
            reason.hasPrefix(start)
            ? "\(start)'\(location.name)' \(reason.dropFirst(start.count))" : reason
        return KeychainError(status, named, hint: "\(hint); or \(others)")
    }
}
