internal import CLibcrypto
internal import LanyardSecrets

/// What every use of libcrypto shares: its start and its errors.
package enum Libcrypto {
    /// Starts the library, once.
    ///
    /// The corresponding C function is `OPENSSL_init_crypto`.
    package static func start() {
        guard isStarted else {
            fatalError("libcrypto does not start")
        }
    }

    private static let isStarted = lanyard_libcrypto_start() == 1

    /// Returns an error for a call that failed, and empties the library's queue of errors. The error has none
    /// of their texts, because those may quote the input.
    static func error(
        _ status: Status, _ reason: String? = nil, hint: String? = nil
    ) -> KeychainError {
        // Before its first call, after which it takes no memory of ours that is wiped.
        start()
        ERR_clear_error()
        return KeychainError(status, reason, hint: hint)
    }

    /// Throws if a call did not return 1.
    static func check(
        _ result: Int32, _ status: Status, _ reason: String? = nil
    ) throws(KeychainError) {
        guard result == 1 else {
            throw error(status, reason)
        }
    }
}
