internal import ArgumentParser
internal import HelperKit
internal import Keychain
internal import SealedStore

/// `lanyard recovery-key create`.
struct CreateRecoveryKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a recovery key and print it, this once.",
        discussion: "It opens the keychain without its passphrase, and on any machine.")

    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        if keychain.name == nil {
            try KeychainUnlocking.hintAtOpenDefault(try Configuration(), lock: false)
        }
        let keychain = try keychain.open()
        let key = try keychain.store.makeRecoveryKey()
        var line = SecretBuilder(capacity: 64)
        line.append(key)
        line.append(UInt8(ascii: "\n"))
        do throws(KeychainError) {
            try writeAnswer(line.finish())
        } catch {
            // A key that nobody has is no use, and would be in the way of another one.
            try? keychain.store.removeRecoveryKey()
            throw error
        }
    }
}
