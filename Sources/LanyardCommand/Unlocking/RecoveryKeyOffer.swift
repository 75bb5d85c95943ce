internal import Configuration
internal import Prompting
internal import KeychainServices
internal import SealedStore

/// Offers a recovery key to a person who has just set a passphrase.
struct RecoveryKeyOffer {
    private let keychain: OpenedKeychain
    private let isPortable: Bool

    /// - Parameter isPortable: Whether the passphrase alone opens the keychain on another machine.
    init(_ keychain: OpenedKeychain, isPortable: Bool) {
        self.keychain = keychain
        self.isPortable = isPortable
    }

    /// Asks, and makes and prints the key if that is wanted. The passphrase is set, whatever is answered.
    ///
    /// - Throws: What making the key throws.
    func make() throws(KeychainError) {
        guard isWanted else {
            return printHint("lanyard recovery-key create\(option) makes a recovery key later")
        }
        printNote("write down this recovery key, and keep it away from this machine:")
        try keychain.printNewRecoveryKey()
    }

    private var isWanted: Bool {
        let day = isPortable ? "is forgotten" : "is forgotten or this machine lost"
        return
            (try? askYesOrNo(
                "if the passphrase \(day), only a recovery key opens the keychain; "
                    + "make one now? [Y/n] ", hint: "lanyard recovery-key create")) ?? false
    }

    private var option: String {
        keychain.name == Configuration.login ? "" : " --keychain \(keychain.name)"
    }
}

extension OpenedKeychain {
    /// Makes a recovery key and prints it, this once.
    ///
    /// - Throws: What making it throws, ``Status/io`` if it can't be printed: then there is none.
    func printNewRecoveryKey() throws(KeychainError) {
        let key = try store.makeRecoveryKey()
        var line = SecretBuilder(capacity: 64)
        line.append(key)
        line.append(UInt8(ascii: "\n"))
        do throws(KeychainError) {
            try writeAnswer(line.finish())
        } catch {
            // A key that nobody has is no use, and would be in the way of another one.
            try? store.removeRecoveryKey()
            throw error
        }
    }
}
