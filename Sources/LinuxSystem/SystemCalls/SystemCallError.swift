internal import Glibc
package import Secrets

/// A call into the operating system that failed.
package struct SystemCallError: Error, Sendable {
    /// The call's name.
    package let call: String
    /// Its errno.
    package let code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The error's words, as the system has them.
    package var words: String {
        // Safe: the text is copied before this thread can ask for another one.
        unsafe String(cString: strerror(code))
    }

    /// The error in terms of the keychain.
    ///
    /// - Parameter action: What failed, for example `can't read the machine key '/…'`.
    package func keychainError(_ action: String) -> KeychainError {
        let status: Status =
            switch code {
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EROFS: .readOnly
            case EACCES, EPERM: .writePermissions
            case ENOMEM: .allocate
            default: .io
            }
        return KeychainError(status, "\(action): \(words)")
    }
}
