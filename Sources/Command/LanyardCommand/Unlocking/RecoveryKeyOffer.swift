internal import LanyardConfiguration
internal import LanyardPrompting
internal import KeychainServices
internal import SealedStore

/// Offers a recovery key to a user who has just set a passphrase.
struct RecoveryKeyOffer {
    private let keychain: OpenedKeychain
    private let isPortable: Bool

    /// - Parameter isPortable: Whether the passphrase alone opens the keychain on another machine.
    init(_ keychain: OpenedKeychain, isPortable: Bool) {
        self.keychain = keychain
        self.isPortable = isPortable
    }

    /// Asks, and if wanted creates and prints the key. The passphrase is set, whatever the answer.
    ///
    /// - Throws: Errors of creating the key.
    func make() throws(KeychainError) {
        guard isWanted else {
            return printHint("lanyard recovery-key create\(option) creates a recovery key later")
        }
        try keychain.printNewRecoveryKey()
    }

    private var isWanted: Bool {
        let loss = isPortable ? "" : " or lose this machine"
        printNote(
            "if you forget the passphrase\(loss), only a recovery key opens the keychain")
        return
            (try? askYesOrNo("create one now?", hint: "lanyard recovery-key create"))
            ?? false
    }

    private var option: String {
        keychain.configuration.option(forKeychain: keychain.name)
    }
}

extension OpenedKeychain {
    /// Creates a recovery key and prints it, only this once. At a terminal, it says what to do with it.
    ///
    /// - Parameter replaces: Whether it takes the place of the present one.
    /// - Throws: Errors of creating it, ``Status/io`` if it can't be printed: nothing changes then.
    func printNewRecoveryKey(replaces: Bool = false) throws(KeychainError) {
        try store.makeRecoveryKey(replaces: replaces, show: OpenedKeychain.printRecoveryKey)
        MachineKeychains.updateTag()
        if try !store.hasCompleteRecoveryKey() {
            printWarning("this recovery key does not open the items that ask")
        }
        if OutputTerminal.current != nil {
            printNote(
                "write this recovery key down and keep it away from this machine: it is not shown"
                    + " again")
        }
    }

    /// Prints a recovery key, before it opens anything: one that was never shown would lock the user out.
    static func printRecoveryKey(_ key: borrowing Secret) throws(KeychainError) {
        var line = SecretBuilder(capacity: 64)
        line.append(key)
        line.append(UInt8(ascii: "\n"))
        try writeAnswer(line.finish())
    }
}
