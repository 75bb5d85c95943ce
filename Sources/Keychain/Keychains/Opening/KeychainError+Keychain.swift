public import KeychainServices

extension KeychainError {
    /// Returns the error with a hint that names the keychain after `--keychain`: without the name, the
    /// command would change the default keychain.
    ///
    /// - Parameter arguments: The program's arguments.
    public func named(by arguments: [String]) -> KeychainError {
        guard let hint, let name = KeychainError.keychain(arguments) else {
            return self
        }
        for command in KeychainError.commands where hint.hasSuffix(command) {
            return KeychainError(status, reason, hint: "\(hint) --keychain \(name)")
        }
        return self
    }

    /// Returns the error without a hint that only repeats the command that just failed.
    ///
    /// - Parameter arguments: The program's arguments, its name first.
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
        "lanyard recovery-key create", "lanyard recovery-key create --replace", "lanyard verify",
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
