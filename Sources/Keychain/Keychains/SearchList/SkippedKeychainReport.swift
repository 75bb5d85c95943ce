internal import LanyardPrompting
public import KeychainServices

/// Collects the keychains of the search list that failed, and reports them once, at the end.
final class SkippedKeychainReport {
    private struct Failure {
        let keychain: String
        let isImplicit: Bool
        let error: KeychainError
    }

    /// The report of this process; nil until a keychain is used.
    // Safe: a program opens its list, and warns at its end, while it has one thread.
    nonisolated(unsafe) static var current: SkippedKeychainReport?

    private let usedBefore: () -> Bool
    private var failures: [Failure] = []
    /// Whether anything was found in any keychain.
    private var hasFound = false
    /// Whether something new was stored in a keychain.
    private var hasStored = false
    /// Whether the caller wants every item.
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

    /// Whether to report this error: not for a Secret Service that the user has not chosen, that was never
    /// used here and that shows no sign of life, and not for Lanyard's own.
    func isWorthTelling(_ keychain: ListedKeychain, _ error: KeychainError) -> Bool {
        isWorthTelling(
            Failure(keychain: keychain.name, isImplicit: keychain.isImplicit, error: error))
    }

    /// Forgets the failure, which was reported already.
    func forget(_ keychain: ListedKeychain) {
        failures.removeAll { $0.keychain == keychain.name }
    }

    func note(_ keychain: ListedKeychain, _ error: KeychainError) {
        guard !error.isOfLanyardItself else {
            return
        }
        if !failures.contains(where: { $0.keychain == keychain.name }) {
            failures.append(
                Failure(keychain: keychain.name, isImplicit: keychain.isImplicit, error: error))
        }
    }

    /// Replaces "not found" by another error if a keychain could not be searched: then the answer is
    /// unknown.
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
        guard !failure.error.isOfLanyardItself else {
            return false
        }
        return !failure.isImplicit || failure.error.status == .databaseLocked || usedBefore()
    }

    /// Warns of skipped keychains. An unchosen Secret Service counts only if it is busy or was used before,
    /// and nothing was found, every item was wanted or another keychain got something new.
    ///
    /// - Parameter outcome: The error that the program ends with, which is reported separately.
    static func warn(endingWith outcome: KeychainError? = nil) {
        // Safe: one thread, as above.
        guard let report = unsafe current else {
            return
        }
        unsafe current = nil
        for failure in report.failures where failure.error.reason != outcome?.reason {
            if !failure.isImplicit {
                printWarning(
                    "the keychain '\(failure.keychain)' was skipped: \(failure.error.reason)")
            } else if !report.hasFound || report.hasStored || report.needsEverything,
                report.isWorthTelling(failure)
            {
                let before = report.usedBefore() ? ", which was used here before," : ""
                printWarning(
                    "the Secret Service\(before) was skipped: \(failure.error.reason)")
            }
        }
    }
}

/// Returns the error to report at the end of a program: if an item is missing and a keychain could not be
/// searched, that keychain's failure.
public func completedByUnusableKeychains(_ error: KeychainError) -> KeychainError {
    SkippedKeychainReport.completed(error)
}

/// Warns, at the end of a program, of the keychains that could not be used.
///
/// - Parameter outcome: The error that the program ends with, which is reported separately.
public func warnOfUnusableKeychains(endingWith outcome: KeychainError? = nil) {
    SkippedKeychainReport.warn(endingWith: outcome)
}
