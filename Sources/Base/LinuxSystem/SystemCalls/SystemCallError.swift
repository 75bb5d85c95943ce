internal import Glibc
package import LanyardSecrets

/// A failed system call.
package struct SystemCallError: Error, Sendable {
    /// The call's name.
    package let call: String
    /// Its errno.
    package let code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The system's text for the error.
    package var words: String {
        // Safe: the text is copied before this thread can request another one.
        unsafe String(cString: strerror(code))
    }

    /// Returns the error in terms of the keychain.
    ///
    /// - Parameter action: The failed action, for example `can't read the machine key '/…'`.
    package func keychainError(_ action: String) -> KeychainError {
        let status: Status =
            switch code {
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EROFS: .readOnly
            case EACCES, EPERM: .writePermissions
            case ENOMEM: .allocate
            default: .io
            }
        return KeychainError(status, "\(action): \(code == ENOSPC ? "the disk is full" : words)")
    }
}
