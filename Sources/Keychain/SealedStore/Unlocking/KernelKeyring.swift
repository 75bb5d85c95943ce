internal import CKeyutils
internal import Glibc
package import KeychainServices
internal import LinuxSystem

/// The keys that the kernel stores in memory for all processes of this user: the "user" keys in the
/// user keyring, keyrings(7). They last until they are revoked, they expire or the machine
/// restarts.
package enum KernelKeyring {
    /// The most bytes that a key may have here.
    static let payloadLimit = 4095

    /// Every process of the user may find, read and revoke the key in any session, and none may set
    /// its time-out. A process that writes to the key removes the time-out, so the end inside the
    /// encrypted payload counts.
    private static let permissions: UInt32 = 0x1F0F_0000

    /// Stores a key with these bytes and replaces any key with its description: atomically, and
    /// never without its time-out.
    ///
    /// - Parameters:
    ///   - payload: 1 to 4095 bytes, encrypted, because a process in another namespace can read
    ///     them.
    ///   - timeout: The seconds until it expires, 1 to 2³¹ - 1; nil for never.
    /// - Throws: ``Status/param`` for another length or time-out, ``Status/notAvailable`` if the
    ///   kernel or a container refuses.
    package static func publish(
        _ payload: [UInt8], as description: String, timeout: UInt32?
    ) throws(KeychainError) {
        guard (1...payloadLimit).contains(payload.count) else {
            throw KeychainError(.param, "a key in the kernel has 1 to \(payloadLimit) bytes")
        }
        // The kernel takes 0 as no time-out.
        if let timeout, timeout == 0 || timeout > Int32.max {
            throw KeychainError(.param, "a key in the kernel stays 1 to \(Int32.max) seconds")
        }
        do throws(SystemCallError) {
            let key = try SystemCalls.addKey(description, payload, to: KEY_SPEC_PROCESS_KEYRING)
            try publish(key, timeout)
        } catch {
            throw refusal(error)
        }
    }

    /// Returns the payload of the key with a description, nil if it is missing, expired or larger
    /// than any of ours.
    ///
    /// - Throws: ``Status/notAvailable`` if the kernel or a container refuses.
    package static func read(_ description: String) throws(KeychainError) -> [UInt8]? {
        do throws(SystemCallError) {
            // Between finding and reading, another key may replace it, but hardly ten times.
            for _ in 1...10 {
                guard let key = try find(description) else {
                    return nil
                }
                do throws(SystemCallError) {
                    return try SystemCalls.readKey(key, limit: payloadLimit)
                } catch {
                    guard isGone(error) else {
                        throw error
                    }
                }
            }
            return nil
        } catch {
            throw refusal(error)
        }
    }

    /// Revokes the key with a description, if it exists.
    ///
    /// - Throws: ``Status/notAvailable`` if the kernel or a container refuses.
    package static func revoke(_ description: String) throws(KeychainError) {
        do throws(SystemCallError) {
            // Another key may have replaced it meanwhile.
            for _ in 1...10 {
                guard let key = try find(description) else {
                    return
                }
                do throws(SystemCallError) {
                    try SystemCalls.revokeKey(key)
                } catch {
                    guard isGone(error) else {
                        throw error
                    }
                }
                // The kernel counts a revoked key against the user's quota for minutes.
                try? SystemCalls.unlinkKey(key, from: KEY_SPEC_USER_KEYRING)
            }
        } catch {
            throw refusal(error)
        }
    }

    /// Publishes a key from the process keyring, or revokes it.
    private static func publish(
        _ key: SystemCalls.KeySerial, _ timeout: UInt32?
    ) throws(SystemCallError) {
        do throws(SystemCallError) {
            if let timeout {
                try SystemCalls.setTimeout(key, seconds: timeout)
            }
            try SystemCalls.setPermissions(key, permissions)
            try SystemCalls.linkKey(key, to: KEY_SPEC_USER_KEYRING)
            try SystemCalls.unlinkKey(key, from: KEY_SPEC_PROCESS_KEYRING)
        } catch {
            try? SystemCalls.revokeKey(key)
            try? SystemCalls.unlinkKey(key, from: KEY_SPEC_PROCESS_KEYRING)
            throw error
        }
    }

    private static func find(
        _ description: String
    ) throws(SystemCallError) -> SystemCalls.KeySerial? {
        // In a user namespace, as those of podman and buildah, the user keyring is another one; a login
        // links that of its user to the session's.
        for keyring in [KEY_SPEC_USER_KEYRING, KEY_SPEC_SESSION_KEYRING] {
            do throws(SystemCallError) {
                return try SystemCalls.searchKey(description, in: keyring)
            } catch {
                guard isGone(error) else {
                    throw error
                }
            }
        }
        return nil
    }

    private static func isGone(_ error: SystemCallError) -> Bool {
        [ENOKEY, EKEYEXPIRED, EKEYREVOKED].contains(error.code)
    }

    private static func refusal(_ error: SystemCallError) -> KeychainError {
        let reason: String
        switch error.code {
        case ENOSYS: reason = "no keyrings"
        case EPERM, EACCES: reason = "not permitted"
        case EDQUOT: reason = "quota used up"
        default: return error.keychainError("the kernel can't store a key")
        }
        return KeychainError(
            .notAvailable, "the kernel stores no keys for this user here (\(reason))")
    }
}
