internal import Prompting
internal import Keychains
internal import KeychainServices
internal import SealedStore

/// The passphrase of an export, which has nothing to do with a keychain's.
enum ExportPassphrase {
    private static let hint = "give it with --passphrase-file"

    /// One for a new export: out of a file, or typed twice, and again up to three times where the two
    /// are not the same.
    ///
    /// - Parameter file: What `--passphrase-file` says.
    /// - Throws: ``Status/param`` if the two are not the same, or what is typed can't be one.
    static func new(file: String?) throws(KeychainError) -> Secret {
        if let file {
            return try readPassphraseFile(file, origin: "--passphrase-file")
        }
        var prompt = "passphrase for the export: "
        for _ in 1...3 {
            let first = try askForSecret(prompt: prompt, hint: hint)
            try PassphraseChange.check(first)
            let second = try askForSecret(prompt: "the passphrase again: ", hint: hint)
            if first.isEqual(to: second) {
                return first
            }
            prompt = "the two are not the same; passphrase for the export: "
        }
        throw KeychainError(.param, "the two are not the same: nothing was exported")
    }

    /// The one of an export that is there.
    static func present(file: String?) throws(KeychainError) -> Secret {
        if let file {
            return try readPassphraseFile(file, origin: "--passphrase-file")
        }
        return try askForSecret(prompt: "passphrase of the export: ", hint: hint)
    }
}
