internal import ArgumentParser
internal import KeychainServices
internal import LanyardPrompting
internal import SealedStore

/// `lanyard machine-key renew`: seals the key again, or replaces one that systemd refuses.
struct RenewMachineKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Seal the machine key again, or replace an unreadable one.",
        discussion:
            "If the key is damaged, missing or can't be unsealed any more, this asks for the recovery key of "
            + "each keychain and makes a new machine key. Items bound to this machine stay unreadable then."
    ).examples(
        "lanyard machine-key renew")

    func run() throws {
        let keychains = try MachineKeychains()
        let storage = try keychains.place.storage()
        let closed = try keychains.closed()
        guard storage != nil || !closed.isEmpty else {
            throw KeychainError(.noSuchKeychain, "there is no machine key yet")
        }
        guard storage?.problem != nil || storage?.sealedTo != nil || !closed.isEmpty else {
            throw KeychainError(
                .param, "the machine key is not sealed", hint: "lanyard machine-key seal")
        }
        if let problem = storage?.problem {
            printWarning(problem.reason)
        }
        // Opened before the unreadable key is replaced.
        let opened = try open(closed)
        if storage?.problem != nil {
            if let kept = try keychains.place.replaceUnreadable() {
                printNote("there is a new machine key; the former file is now '\(kept)'")
            }
        } else if storage?.sealedTo != nil {
            try keychains.place.seal()
        }
        try bind(opened)
        try keychains.updateTag()
        try keychains.report()
    }

    /// Asks for the recovery key of each keychain.
    private func open(_ keychains: [OpenedKeychain]) throws(KeychainError) -> [OpenedKeychain] {
        var opened: [OpenedKeychain] = []
        for keychain in keychains {
            guard try keychain.store.opensWithoutMachineKey() else {
                printWarning(
                    "the keychain '\(keychain.name)' has no recovery key and stays closed")
                continue
            }
            try keychain.store.openWithoutMachineKey()
            opened.append(keychain)
        }
        return opened
    }

    private func bind(_ keychains: [OpenedKeychain]) throws(KeychainError) {
        for keychain in keychains {
            try keychain.store.bindToNewMachineKey()
            let left = try keychain.store.itemsLeftBehind()
            if left > 0 {
                printWarning(
                    "\(counted(left, "item")) of the keychain '\(keychain.name)' can "
                        + "be read only with the former machine key")
            }
        }
    }
}
