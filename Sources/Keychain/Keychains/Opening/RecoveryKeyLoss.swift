/// Returns what the user loses without a recovery key, and when: one line.
///
/// - Parameters:
///   - hasPassphrase: Whether the keychain has a passphrase.
///   - isPortable: Whether the passphrase opens it without the machine key.
///   - isSealed: Whether systemd seals the machine key.
package func lossWithoutRecoveryKey(
    hasPassphrase: Bool, isPortable: Bool, isSealed: Bool
) -> String {
    let cause =
        if !hasPassphrase {
            isSealed
                ? "systemd refuses the machine key, as after a repair"
                : "you lose the folder with the machine key"
        } else if isPortable {
            "you forget the passphrase"
        } else {
            "you forget the passphrase or lose the folder with the machine key"
        }
    return "if \(cause), you lose all logins"
}
