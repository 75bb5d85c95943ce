internal import CKeyutils
internal import Glibc
internal import LinuxSystem

// The calls into the kernel's key management. `request_key` is left out on purpose: for a missing
// key it would start a program as root.
extension SystemCalls {
    /// The number of a key or keyring. The corresponding type is `key_serial_t`.
    typealias KeySerial = Int32

    /// Creates a key in a keyring. The corresponding C function is `add_key` with the type "user".
    static func addKey(
        _ description: String, _ payload: [UInt8], to keyring: KeySerial
    ) throws(SystemCallError) -> KeySerial {
        try perform("add_key") {
            // Safe: the texts end with NUL, the payload has its count, and the kernel copies them.
            unsafe CKeyutils.add_key("user", description, payload, payload.count, keyring)
        }
    }

    /// Sets a key's time-out, in seconds from now. The corresponding C function is
    /// `keyctl_set_timeout`.
    static func setTimeout(_ key: KeySerial, seconds: UInt32) throws(SystemCallError) {
        _ = try perform("keyctl_set_timeout") { keyctl_set_timeout(key, seconds) }
    }

    /// Sets a key's permissions. The corresponding C function is `keyctl_setperm`.
    static func setPermissions(_ key: KeySerial, _ mask: UInt32) throws(SystemCallError) {
        _ = try perform("keyctl_setperm") { keyctl_setperm(key, mask) }
    }

    /// Links a key to a keyring, replacing one with the same description. The corresponding C
    /// function is `keyctl_link`.
    static func linkKey(_ key: KeySerial, to keyring: KeySerial) throws(SystemCallError) {
        _ = try perform("keyctl_link") { keyctl_link(key, keyring) }
    }

    /// Removes a key from a keyring. The corresponding C function is `keyctl_unlink`.
    static func unlinkKey(_ key: KeySerial, from keyring: KeySerial) throws(SystemCallError) {
        _ = try perform("keyctl_unlink") { keyctl_unlink(key, keyring) }
    }

    /// Finds a key in a keyring. The corresponding C function is `keyctl_search` with the type
    /// "user".
    static func searchKey(
        _ description: String, in keyring: KeySerial
    ) throws(SystemCallError) -> KeySerial {
        // Safe: the texts end with NUL and live for the call.
        let key = try perform("keyctl_search") {
            unsafe keyctl_search(keyring, "user", description, 0)
        }
        return KeySerial(key)
    }

    /// Returns a key's payload, nil if it is longer than a limit. The corresponding C function is
    /// `keyctl_read`.
    static func readKey(_ key: KeySerial, limit: Int) throws(SystemCallError) -> [UInt8]? {
        var bytes = [CChar](repeating: 0, count: limit)
        // Safe: the array has `limit` bytes; the kernel writes no more even if the key is longer.
        let count = try perform("keyctl_read") { unsafe keyctl_read(key, &bytes, limit) }
        return count <= limit ? bytes[..<count].map { UInt8(bitPattern: $0) } : nil
    }

    /// Revokes a key for all processes. The corresponding C function is `keyctl_revoke`.
    static func revokeKey(_ key: KeySerial) throws(SystemCallError) {
        _ = try perform("keyctl_revoke") { keyctl_revoke(key) }
    }
}
