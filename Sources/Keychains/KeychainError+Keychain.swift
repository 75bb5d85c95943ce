public import KeychainServices

extension KeychainError {
    /// The error with a hint that is for the keychain that `--keychain` named: without the name it would
    /// do to the default keychain what was meant for this one.
    ///
    /// - Parameter arguments: What the program was called with.
    public func named(by arguments: [String]) -> KeychainError {
        guard let hint, let name = KeychainError.keychain(arguments) else {
            return self
        }
        for command in KeychainError.commands where hint.hasSuffix(command) {
            return KeychainError(status, reason, hint: "\(hint) --keychain \(name)")
        }
        guard hint.hasSuffix("lanyard keychain accept-restore") else {
            return self
        }
        return KeychainError(status, reason, hint: "\(hint) \(name)")
    }

    /// The error without a hint that names nothing but the command that just failed.
    ///
    /// - Parameter arguments: What the program was called with, its name first.
    public func withoutCircularHint(after arguments: [String]) -> KeychainError {
        guard let words = hint?.split(separator: " ").map({ String($0) }), words.count > 1,
            words[0] == "lanyard", arguments.count > 1, words[1] == arguments[1],
            words.dropFirst().allSatisfy(arguments.contains)
        else {
            return self
        }
        return KeychainError(status, reason)
    }

    /// The commands in hints that take the option.
    private static let commands = [
        "lanyard unlock", "lanyard list", "lanyard passphrase set", "lanyard passphrase change",
        "lanyard recovery-key create", "lanyard recovery-key remove", "lanyard verify",
    ]

    private static func keychain(_ arguments: [String]) -> String? {
        let option = "--keychain"
        for (argument, next) in zip(arguments, arguments.dropFirst() + [""]) {
            if argument == option {
                return next
            }
            if argument.hasPrefix("\(option)=") {
                return String(argument.dropFirst(option.count + 1))
            }
        }
        return nil
    }
}
