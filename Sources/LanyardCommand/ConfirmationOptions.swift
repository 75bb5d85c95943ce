internal import ArgumentParser
internal import Prompting
internal import KeychainServices
internal import SealedStore

/// The options of a change that may delete something.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Don't ask before anything is lost, and accept a short passphrase.")
    var yes = false

    /// Makes a change, after naming its losses and asking for consent.
    func apply(
        _ change: PassphraseChange, _ keychain: OpenedKeychain
    ) throws(KeychainError) {
        try ConfirmationOptions.apply(change, yes: yes)
    }

    /// Does the same for a command with a `--yes` of its own.
    static func apply(_ change: PassphraseChange, yes: Bool) throws(KeychainError) {
        let losses = change.losses
        var sentences: [String] = []
        if losses.itemsForPassphrase > 0 {
            let needs = losses.itemsForPassphrase == 1 ? "needs" : "need"
            let names = losses.firstForPassphrase.compactMap(\.shownName)
            let rest = losses.itemsForPassphrase > names.count ? ["…"] : []
            sentences.append(
                "this deletes \(counted(losses.itemsForPassphrase, "item")) that \(needs) a passphrase"
                    + (names.isEmpty ? "" : " (\((names + rest).joined(separator: ", ")))"))
        }
        if losses.itemsElsewhere > 0 {
            sentences.append(
                "this deletes \(counted(losses.itemsElsewhere, "item")) bound to one machine that can't be read "
                    + "here without its passphrase")
        }
        if !losses.securityKeys.isEmpty {
            let names = losses.securityKeys.map { "'\($0)'" }.joined(separator: ", ")
            sentences.append(
                losses.securityKeys.count == 1
                    ? "the security key \(names) stops working until you add it again"
                    : "the security keys \(names) stop working until you add them again")
        }
        if losses.recoveryKey {
            sentences.append("the recovery key stops working")
        }
        let text = sentences.joined(separator: ", and ")
        if !text.isEmpty, !yes {
            try askToContinue(text, hint: "add --yes to go ahead")
        }
        let progress = ProgressBar("sealing")
        MachineKeychains.removeTag()
        defer { MachineKeychains.updateTag() }
        try change.apply { done, total in progress.show(done, of: total) }
        progress.end()
        // Who was asked knows.
        if !text.isEmpty, yes {
            printWarning(text)
        }
    }
}

/// Names what is lost and asks for consent.
func askToContinue(_ losses: String, hint: String) throws(KeychainError) {
    do throws(KeychainError) {
        try askForConsent("\(losses): continue? [y/N] ", hint: hint)
    } catch  where error.status == .interactionNotAllowed {
        throw KeychainError(error.status, "\(losses): lanyard can't prompt here", hint: hint)
    }
}
