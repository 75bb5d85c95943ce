internal import CKeyutils
internal import Glibc
internal import LinuxSystem

// The calls into the kernel's key management. A key that comes with `request_key` would start a
// program of root's where there is none: that call is not here.
extension SystemCalls {
    /// A key's or a keyring's number. The corresponding type is `key_serial_t`.
    typealias KeySerial = Int32

    /// Makes a key in a keyring. The corresponding C function is `add_key` with the type "user".
    static func addKey(
        _ description: String, _ payload: [UInt8], to keyring: KeySerial
    ) throws(SystemCallError) -> KeySerial {
        try perform("add_key") {
            // Safe: the texts have their NUL at the end, the payload its own count, and the kernel
            // copies them.
            unsafe CKeyutils.add_key("user", description, payload, payload.count, keyring)
        }
    }

    /// Gives a key its end, in seconds from now. The corresponding C function is
    /// `keyctl_set_timeout`.
    static func setTimeout(_ key: KeySerial, seconds: UInt32) throws(SystemCallError) {
        _ = try perform("keyctl_set_timeout") { keyctl_set_timeout(key, seconds) }
    }

    /// Says who may do what with a key. The corresponding C function is `keyctl_setperm`.
    static func setPermissions(_ key: KeySerial, _ mask: UInt32) throws(SystemCallError) {
        _ = try perform("keyctl_setperm") { keyctl_setperm(key, mask) }
    }

    /// Puts a key in a keyring, in place of one with the same description. The corresponding C
    /// function is `keyctl_link`.
    static func linkKey(_ key: KeySerial, to keyring: KeySerial) throws(SystemCallError) {
        _ = try perform("keyctl_link") { keyctl_link(key, keyring) }
    }

    /// Takes a key out of a keyring. The corresponding C function is `keyctl_unlink`.
    static func unlinkKey(_ key: KeySerial, from keyring: KeySerial) throws(SystemCallError) {
        _ = try perform("keyctl_unlink") { keyctl_unlink(key, keyring) }
    }

    /// Finds a key in a keyring. The corresponding C function is `keyctl_search` with the type
    /// "user".
    static func searchKey(
        _ description: String, in keyring: KeySerial
    ) throws(SystemCallError) -> KeySerial {
        // Safe: the texts have their NUL at the end and live for the call.
        let key = try perform("keyctl_search") {
            unsafe keyctl_search(keyring, "user", description, 0)
        }
        return KeySerial(key)
    }

    /// What a key holds, nil if that is more than some bytes. The corresponding C function is
    /// `keyctl_read`.
    static func readKey(_ key: KeySerial, limit: Int) throws(SystemCallError) -> [UInt8]? {
        var bytes = [CChar](repeating: 0, count: limit)
        // Safe: the array has `limit` bytes; where the key is longer the kernel writes no more.
        let count = try perform("keyctl_read") { unsafe keyctl_read(key, &bytes, limit) }
        return count <= limit ? bytes[..<count].map { UInt8(bitPattern: $0) } : nil
    }

    /// Makes a key useless, for everybody. The corresponding C function is `keyctl_revoke`.
    static func revokeKey(_ key: KeySerial) throws(SystemCallError) {
        _ = try perform("keyctl_revoke") { keyctl_revoke(key) }
    }
}
