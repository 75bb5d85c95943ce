internal import Keychains
internal import ArgumentParser
internal import Configuration
internal import KeychainServices
internal import KeychainPlugin
internal import SealedStore

/// `lanyard lock`: ends the effect of `lanyard unlock`.
struct LockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock a keychain at once."
    ).examples(
        "lanyard lock",
        "lanyard lock --all")

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
            let name = try configuration.sealedKeychain(flag: keychain.name)
            guard try configuration.kind(ofKeychain: name) == .sealed else {
                return try KeychainUnlocking(name, configuration).lock()
            }
            if let store = try configuration.openSealedKeychain(name) {
                try store.lock()
                if try store.lockState() == .noPassphrase {
                    printNeverLocked(name)
                }
            }
            if keychain.name == nil {
                try KeychainUnlocking.hintAtOpenDefault(configuration, lock: true)
            }
            return
        }
        // It needs neither the configuration nor the keychains' files, and locks even a damaged or
        // unmounted keychain.
        let places = try Places()
        let configuration = try? Configuration(places: places)
        // Those without their anchor.
        for name in (try? configuration?.keychains()) ?? [] {
            try? configuration?.openSealedKeychain(name)?.lock(firstUnlock: true)
        }
        let sealed = Result { () throws(KeychainError) in
            try SealedStore.lockAll(stateFolder: places.state)
        }
        // They may take a second to answer.
        let failure = configuration.flatMap(KeychainUnlocking.lockOthers)
        try sealed.get()
        if let failure {
            throw failure
        }
    }
}
