public import Keychain

/// Which keychains of the search list could not be used: told once, at the end.
final class UnusableKeychains {
    private struct Failure {
        let keychain: String
        let isTried: Bool
        let error: KeychainError
    }

    /// Of this process; nil while no keychain was looked for.
    // Safe: a program opens its list, and warns at its end, while it has one thread.
    nonisolated(unsafe) static var current: UnusableKeychains?

    private let usedBefore: () -> Bool
    private var failures: [Failure] = []
    /// Whether anything was found in any keychain.
    private var hasFound = false
    /// Whether something new was stored in one.
    private var hasStored = false

    init(usedBefore: @escaping () -> Bool) {
        self.usedBefore = usedBefore
    }

    func found() {
        hasFound = true
    }

    func stored() {
        hasStored = true
    }

    /// What was told already.
    func forget(_ keychain: ListedKeychain) {
        failures.removeAll { $0.keychain == keychain.name }
    }

    func note(_ keychain: ListedKeychain, _ error: KeychainError) {
        if !failures.contains(where: { $0.keychain == keychain.name }) {
            failures.append(
                Failure(keychain: keychain.name, isTried: keychain.isTried, error: error))
        }
    }

    /// Warns of the keychains that were left out: of those that somebody chose, and of a Secret
    /// Service that was used before, if nothing was found without it or something new is in another
    /// keychain now.
    ///
    /// - Parameter outcome: What the program ends with, which is told by itself.
    static func warn(endingWith outcome: KeychainError? = nil) {
        // Safe: one thread, as above.
        guard let report = unsafe current else {
            return
        }
        unsafe current = nil
        for failure in report.failures where failure.error.reason != outcome?.reason {
            if !failure.isTried {
                printWarning(
                    "the keychain '\(failure.keychain)' was left out: \(failure.error.reason)")
            } else if !report.hasFound || report.hasStored, report.usedBefore() {
                printWarning(
                    "the Secret Service, which was used here before, was left out: "
                        + failure.error.reason)
            }
        }
    }
}

/// Warns, at the end of a program, of the keychains that could not be used.
///
/// - Parameter outcome: The error that the program ends with, which is told by itself.
public func warnOfUnusableKeychains(endingWith outcome: KeychainError? = nil) {
    UnusableKeychains.warn(endingWith: outcome)
}
