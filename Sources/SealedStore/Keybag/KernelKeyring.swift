internal import CKeyutils
internal import Glibc
package import KeychainServices
internal import LinuxSystem

/// The keys that the kernel keeps in memory for all processes of this user, until they are revoked,
/// their time is over or the machine restarts: the "user" keys in the user keyring, keyrings(7).
package enum KernelKeyring {
    /// The most bytes that a key may hold here.
    static let payloadLimit = 4095

    /// Every process of the user may find, read and revoke the key, in any session, and none may set
    /// its time-out. One that writes to it takes the time-out off, so the end that counts is in what
    /// is sealed.
    private static let permissions: UInt32 = 0x1F0F_0000

    /// Puts a key with these bytes in the place of what has its description: at once, and never
    /// without its time-out.
    ///
    /// - Parameters:
    ///   - payload: 1 to 4095 bytes, sealed: a process in a namespace of its own can read them.
    ///   - timeout: After how many seconds it ends, 1 to 2³¹ - 1; nil for a key that stays.
    /// - Throws: ``Status/param`` for another length or time-out, ``Status/notAvailable`` where
    ///   the kernel or a container refuses.
    package static func publish(
        _ payload: [UInt8], as description: String, timeout: UInt32?
    ) throws(KeychainError) {
        guard (1...payloadLimit).contains(payload.count) else {
            throw KeychainError(.param, "a key in the kernel has 1 to \(payloadLimit) bytes")
        }
        // The kernel takes 0 for no time-out at all.
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

    /// What the key of a description holds, nil if there is none, or one that is over or larger
    /// than any of ours.
    ///
    /// - Throws: ``Status/notAvailable`` where the kernel or a container refuses.
    package static func read(_ description: String) throws(KeychainError) -> [UInt8]? {
        do throws(SystemCallError) {
            // Between finding and reading, another key can take its place; ten times it can't.
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

    /// Makes the key of a description useless; there need not be one.
    ///
    /// - Throws: ``Status/notAvailable`` where the kernel or a container refuses.
    package static func revoke(_ description: String) throws(KeychainError) {
        do throws(SystemCallError) {
            // Another key can have taken its place in the meantime.
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
                // The kernel counts a revoked key in the user's share for minutes.
                try? SystemCalls.unlinkKey(key, from: KEY_SPEC_USER_KEYRING)
            }
        } catch {
            throw refusal(error)
        }
    }

    /// Publishes a key that stands in the process keyring, or revokes it.
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
        do throws(SystemCallError) {
            return try SystemCalls.searchKey(description, in: KEY_SPEC_USER_KEYRING)
        } catch {
            guard isGone(error) else {
                throw error
            }
            return nil
        }
    }

    private static func isGone(_ error: SystemCallError) -> Bool {
        [ENOKEY, EKEYEXPIRED, EKEYREVOKED].contains(error.code)
    }

    private static func refusal(_ error: SystemCallError) -> KeychainError {
        let reason: String
        switch error.code {
        case ENOSYS: reason = "it has no keyrings"
        case EPERM, EACCES: reason = "it does not permit it"
        case EDQUOT: reason = "the user's share is used up"
        default: return error.keychainError("the kernel can't keep a key")
        }
        return KeychainError(
            .notAvailable, "the kernel keeps no keys for this user here (\(reason))")
    }
}
