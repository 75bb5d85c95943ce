internal import Prompting
public import KeychainServices

/// Which keychains of the search list could not be used: told once, at the end.
final class SkippedKeychainReport {
    private struct Failure {
        let keychain: String
        let isImplicit: Bool
        let error: KeychainError
    }

    /// Of this process; nil while no keychain was looked for.
    // Safe: a program opens its list, and warns at its end, while it has one thread.
    nonisolated(unsafe) static var current: SkippedKeychainReport?

    private let usedBefore: () -> Bool
    private var failures: [Failure] = []
    /// Whether anything was found in any keychain.
    private var hasFound = false
    /// Whether something new was stored in one.
    private var hasStored = false
    /// Whether everything that there is was asked for.
    private var needsEverything = false

    init(usedBefore: @escaping () -> Bool) {
        self.usedBefore = usedBefore
    }

    func found() {
        hasFound = true
    }

    func stored() {
        hasStored = true
    }

    func askedForEverything() {
        needsEverything = true
    }

    /// Whether this error of a keychain is worth a word: not of a Secret Service that nobody has chosen, that
    /// was not used here before and that does not show itself.
    func isWorthTelling(_ keychain: ListedKeychain, _ error: KeychainError) -> Bool {
        isWorthTelling(
            Failure(keychain: keychain.name, isImplicit: keychain.isImplicit, error: error))
    }

    /// What was told already.
    func forget(_ keychain: ListedKeychain) {
        failures.removeAll { $0.keychain == keychain.name }
    }

    func note(_ keychain: ListedKeychain, _ error: KeychainError) {
        if !failures.contains(where: { $0.keychain == keychain.name }) {
            failures.append(
                Failure(keychain: keychain.name, isImplicit: keychain.isImplicit, error: error))
        }
    }

    /// What an error becomes that says that something is not there, where a keychain could not be looked in:
    /// then nobody knows.
    static func completed(_ error: KeychainError) -> KeychainError {
        // Safe: one thread, as above.
        guard error.status == .itemNotFound, let report = unsafe current,
            let index = report.failures.firstIndex(where: report.isWorthTelling)
        else {
            return error
        }
        let failure = report.failures.remove(at: index)
        return KeychainError(
            failure.error.status,
            "\(error.reason) in the keychains that can be read; "
                + "'\(failure.keychain)' can't: \(failure.error.reason)",
            hint: failure.error.hint ?? "lanyard doctor")
    }

    private func isWorthTelling(_ failure: Failure) -> Bool {
        !failure.isImplicit || failure.error.status == .databaseLocked || usedBefore()
    }

    /// Warns of the keychains that were left out: of those that somebody chose, and of a Secret
    /// Service that was used before or is busy, if nothing was found without it, all was asked for or
    /// something new is in another keychain now.
    ///
    /// - Parameter outcome: What the program ends with, which is told by itself.
    static func warn(endingWith outcome: KeychainError? = nil) {
        // Safe: one thread, as above.
        guard let report = unsafe current else {
            return
        }
        unsafe current = nil
        for failure in report.failures where failure.error.reason != outcome?.reason {
            if !failure.isImplicit {
                printWarning(
                    "the keychain '\(failure.keychain)' was left out: \(failure.error.reason)")
            } else if !report.hasFound || report.hasStored || report.needsEverything,
                report.isWorthTelling(failure)
            {
                let before = report.usedBefore() ? ", which was used here before," : ""
                printWarning(
                    "the Secret Service\(before) was left out: \(failure.error.reason)")
            }
        }
    }
}

/// Says what an error at the end of a program comes to: where something was not found and a keychain could
/// not be looked in, that is the error.
public func completedByUnusableKeychains(_ error: KeychainError) -> KeychainError {
    SkippedKeychainReport.completed(error)
}

/// Warns, at the end of a program, of the keychains that could not be used.
///
/// - Parameter outcome: The error that the program ends with, which is told by itself.
public func warnOfUnusableKeychains(endingWith outcome: KeychainError? = nil) {
    SkippedKeychainReport.warn(endingWith: outcome)
}
