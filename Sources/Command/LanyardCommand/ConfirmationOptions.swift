internal import ArgumentParser
internal import LanyardPrompting
internal import KeychainServices
internal import SealedStore

/// The options of a change that may delete something.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Don't ask before anything is lost, and accept a short passphrase.")
    var yes = false

    /// Names the losses of a change, and asks for consent.
    ///
    /// - Parameter next: What the user is asked for next.
    /// - Throws: ``Status/userCanceled`` without consent.
    func ask(
        about losses: PassphraseChange.Losses, next: String? = nil
    ) throws(KeychainError) {
        try ConfirmationOptions.ask(about: losses, yes: yes, next: next)
    }

    private static func ask(
        about losses: PassphraseChange.Losses, yes: Bool, next: String? = nil
    ) throws(KeychainError) {
        if let text = text(losses), !yes {
            try askToContinue(text, next: next, hint: "add --yes to go ahead")
        }
    }

    /// Makes a change, after naming its losses and asking for consent.
    ///
    /// - Parameter known: The losses that the user has consented to, nil if none were named.
    func apply(
        _ change: PassphraseChange, known: PassphraseChange.Losses? = nil
    ) throws(KeychainError) {
        try ConfirmationOptions.apply(change, yes: yes, known: known)
    }

    /// Does the same for a command with a `--yes` of its own.
    static func apply(
        _ change: PassphraseChange, yes: Bool, known: PassphraseChange.Losses? = nil
    ) throws(KeychainError) {
        if change.losses != known {
            try ask(about: change.losses, yes: yes)
        }
        let progress = ProgressBar("sealing")
        MachineKeychains.removeTag()
        defer { MachineKeychains.updateTag() }
        try change.apply { done, total in progress.show(done, of: total) }
        progress.end()
        // Who was asked knows.
        if let text = text(change.losses), yes {
            printWarning(text)
        }
    }

    /// Returns what is lost in a sentence, nil for nothing.
    private static func text(_ losses: PassphraseChange.Losses) -> String? {
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
        return sentences.isEmpty ? nil : sentences.joined(separator: ", and ")
    }
}

/// Names what is lost and asks for consent.
func askToContinue(
    _ losses: String, next: String? = nil, hint: String
) throws(KeychainError) {
    do throws(KeychainError) {
        try askForConsent("\(losses): continue?", next: next, hint: hint)
    } catch  where error.status == .interactionNotAllowed {
        throw KeychainError(error.status, "\(losses): lanyard can't prompt here", hint: hint)
    }
}
