internal import KeychainServices
internal import Keychains
internal import LanyardPrompting
internal import SealedStore

extension SetupAllCommand {
    /// Creates a sealed machine key if there is none yet and systemd can: the plain one is then never
    /// written. The user is at a terminal, where ``offerSealing(isAgreed:)`` shows the recovery key.
    func sealNewMachineKey() {
        guard canAskAtTerminal(), let keychains = try? MachineKeychains(), keychains.place.canSeal
        else {
            return
        }
        do throws(KeychainError) {
            _ = try keychains.place.makeSealed()
        } catch {
            printWarning(error.reason)
        }
    }

    /// Seals an existing machine key if the user wants that, and says what a thief of the home folder
    /// can read. Without a terminal, where the user could write a recovery key down, it seals nothing.
    func offerSealing(isAgreed: Bool) throws(KeychainError) {
        let keychains = try MachineKeychains()
        guard let storage = try keychains.place.storage(), storage.problem == nil else {
            return
        }
        if storage.sealedTo != nil, !isAgreed, canAskAtTerminal() {
            try keychains.makeRecoveryKeys()
            return try keychains.report()
        }
        guard storage.sealedTo == nil, !storage.isMoved, try !keychains.haveAllPassphrases() else {
            return
        }
        let thefts = try keychains.thefts(storage).joined(separator: "; ")
        guard keychains.place.canSeal else {
            return printNote("systemd can't seal the machine key here: \(thefts)")
        }
        guard !isAgreed, canAskAtTerminal() else {
            return printHint("lanyard machine-key seal: \(thefts)")
        }
        do throws(KeychainError) {
            let isYes = try askYesOrNo(
                "\(thefts); seal the machine key to this machine?",
                hint: "lanyard machine-key seal does it later")
            if isYes {
                try keychains.seal()
            }
        } catch  where [.userCanceled, .interactionNotAllowed].contains(error.status) {
            // The setup remains: only this offer is cancelled.
        }
    }
}
