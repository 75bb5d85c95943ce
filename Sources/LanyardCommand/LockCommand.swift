internal import ArgumentParser
internal import HelperKit
internal import Keychain
internal import SealedStore

/// `lanyard lock`: ends what `lanyard unlock` began.
struct LockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock a keychain at once.")

    @Flag(help: "Lock every keychain, and also what stays readable after the first unlock.")
    var all = false
    @OptionGroup var keychain: SealedKeychainOption

    func validate() throws {
        if all, keychain.name != nil {
            throw ValidationError("--all is for every keychain: leave --keychain out")
        }
    }

    func run() throws {
        let configuration = try Configuration()
        guard all else {
            let name = configuration.keychainInUse(flag: keychain.name)
            try configuration.openSealedKeychain(name)?.lock()
            return
        }
        var failure: KeychainError?
        for name in try configuration.keychains() {
            do throws(KeychainError) {
                try configuration.openSealedKeychain(name)?.lock(firstUnlock: true)
            } catch {
                // The others are to be locked all the same.
                failure = KeychainError(
                    error.status, "keychain '\(name)': \(error.reason)", hint: error.hint)
            }
        }
        if let failure {
            throw failure
        }
    }
}
