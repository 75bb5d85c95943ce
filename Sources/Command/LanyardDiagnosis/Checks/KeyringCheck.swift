internal import KeychainServices
internal import Keychains
internal import LinuxSystem
internal import SealedStore
internal import ToolSetup

/// Checks the kernel's keyring, which stores unlocked keys: it matters if a keychain has a passphrase.
struct KeyringCheck: SingleCheck {
    static let name = "kernel keyring"

    func finding(_ context: DiagnosisContext) -> Finding? {
        let isNeeded = context.keychainStates.contains(where: \.hasPassphrase)
        guard isNeeded else {
            return nil
        }
        if let refusal = SealedStore.keyringRefusal() {
            // Each program unlocks the keychain for itself then.
            guard !GivenPassphrase.isThere else {
                return nil
            }
            return Finding(
                .keyringRefused, "\(said: refusal.reason)",
                advice: "set LANYARD_PASSPHRASE_FILE to a file with the passphrase")
        }
        let users = (try? TargetFile("/proc/key-users"))?.bytes ?? ""
        let user = SystemCalls.effectiveUser
        let quota = KeyringQuota(String(decoding: users, as: UTF8.self), user: user)
        guard let quota, quota.isNearlyUsedUp else {
            return nil
        }
        // root has a separate limit.
        let limit = user == 0 ? "root_max" : "max"
        return Finding(
            .keyringFull,
            "\(quota.keys) of \(quota.keyLimit) keys, \(quota.bytes) of \(quota.byteLimit) bytes are in use",
            advice: """
                remove keys that you don't need (keyctl show @u, keyctl unlink KEY @u), or raise \
                kernel.keys.\(plain: limit)keys and kernel.keys.\(plain: limit)bytes with sysctl
                """)
    }
}

/// A user's share of the kernel's memory for keys, used and allowed.
struct KeyringQuota {
    let keys: Int
    let keyLimit: Int
    let bytes: Int
    let byteLimit: Int

    /// Reads a user's line in /proc/key-users, proc_key-users(5), nil without one.
    init?(_ text: String, user: UInt32) {
        let line = text.split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } }
            .first { $0.first == "\(user):" }
        guard let line, line.count == 5 else {
            return nil
        }
        let numbers = line[3...].flatMap { $0.split(separator: "/").map { Int($0) } }
        guard numbers.count == 4, let keys = numbers[0], let keyLimit = numbers[1],
            let bytes = numbers[2], let byteLimit = numbers[3]
        else {
            return nil
        }
        self.keys = keys
        self.keyLimit = keyLimit
        self.bytes = bytes
        self.byteLimit = byteLimit
    }

    /// Whether a keychain's keys may not fit: two of about 250 bytes each, a keyring in between, and the
    /// temporary copy of a replaced one.
    var isNearlyUsedUp: Bool { keyLimit - keys < 3 || byteLimit - bytes < 1024 }
}
