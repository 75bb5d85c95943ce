internal import Keychains
internal import Configuration
internal import KeychainServices
internal import SealedStore

extension SetupAllCommand {
    /// Returns the next steps after a setup: the first commands, and the keychain's missing protection.
    func nextSteps() -> [String] {
        var steps = [
            ("git clone URL", "asks for the login once; from then on it is known"),
            ("lanyard list", "shows what is kept"),
            ("lanyard doctor", "says what is wrong when something asks again"),
        ]
        if let store = sealedKeychain {
            if (try? store.hasPassphrase()) == false {
                steps.append(
                    (
                        "lanyard passphrase set",
                        "protects your logins if your home folder is copied"
                    )
                )
            }
            if (try? store.hasRecoveryKey()) == false {
                steps.append(
                    (
                        "lanyard recovery-key create",
                        "lets you back in if this machine's key is lost"
                    ))
            }
        }
        let width = steps.map(\.0.count).max() ?? 0
        return ["next:"]
            + steps.map { command, meaning in
                let space = String(repeating: " ", count: width - command.count)
                return "    \(command)\(space)  \(meaning)"
            }
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
