internal import Keychains
internal import LanyardConfiguration
internal import KeychainServices
internal import SealedStore

extension SetupAllCommand {
    /// Returns the next steps after a setup: the first commands, and the keychain's missing protection.
    func nextSteps() -> Screen {
        var steps = [
            ("git clone URL", "asks for the login once"),
            ("lanyard list", "lists the stored logins"),
            ("lanyard doctor", "finds out why a tool asks again"),
        ]
        if let store = sealedKeychain {
            if (try? store.hasPassphrase()) == false {
                let isSealed = (try? MachineKeychains().place.storage())?.sealedTo != nil
                let meaning =
                    isSealed ? "lets you lock the keychain" : "protects copies of your home folder"
                steps.append(("lanyard passphrase set", meaning))
            }
            if (try? store.hasRecoveryKey()) == false {
                steps.append(("lanyard recovery-key create", "helps if this machine is lost"))
            }
        }
        let width = steps.map(\.0.count).max() ?? 0
        var screen = Screen()
        screen.add(
            "next",
            steps.map { command, meaning in
                let space = String(repeating: " ", count: width - command.count)
                return "\(command)\(space)  \(meaning)"
            })
        return screen
    }

    /// The keychain for new logins, if it is an existing sealed file.
    private var sealedKeychain: SealedStore? {
        guard let configuration = try? Configuration(),
            let name = try? configuration.defaultKeychain()
        else {
            return nil
        }
        return (try? configuration.openSealedKeychain(name)) ?? nil
    }
}
