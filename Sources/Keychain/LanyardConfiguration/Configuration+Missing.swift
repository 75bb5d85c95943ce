public import KeychainServices

extension Configuration {
    /// Returns the error for a keychain that does not exist. It hints at the keychain that was perhaps meant, or else at
    /// the command that creates this one.
    ///
    /// - Parameter file: Where its file would be; nil if nothing names one.
    public func missingKeychain(_ name: String, file: String? = nil) -> KeychainError {
        let names = ((try? keychains()) ?? []) + [Configuration.login, Configuration.secretService]
        let meant = suggestion(for: name, among: names.filter { $0 != name })
        return KeychainError(
            .noSuchKeychain, "keychain '\(name)' not found" + (file.map { " at '\($0)'" } ?? ""),
            hint: (meant.map { "did you mean '\($0)'? Otherwise: " } ?? "")
                + "lanyard keychain create \(name)")
    }
}
