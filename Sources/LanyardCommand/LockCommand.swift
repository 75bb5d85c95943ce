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
        guard all else {
            let configuration = try Configuration()
            let name = configuration.keychainInUse(flag: keychain.name)
            guard let store = try configuration.openSealedKeychain(name) else {
                return
            }
            try store.lock()
            if try store.lockState() == .noPassphrase {
                printNeverLocked(name)
            }
            return
        }
        // Without the configuration and the keychains' files: one that is damaged or not mounted just
        // now is to be locked all the same.
        let places = try Places()
        if let configuration = try? Configuration(places: places) {
            // Those whose generation file is gone.
            for name in (try? configuration.keychains()) ?? [] {
                try? configuration.openSealedKeychain(name)?.lock(firstUnlock: true)
            }
        }
        try SealedStore.lockAll(stateFolder: places.state)
    }
}
