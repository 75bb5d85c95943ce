internal import LanyardPrompting
internal import Keychains
internal import LanyardCertificates
internal import KeychainServices
internal import SealedStore

/// The passphrase of an export, which is unrelated to a keychain's.
enum ExportPassphrase {
    private static let hint = "use --passphrase-file"

    /// Reads one for a new export from a file, or asks for it twice, up to three times if the two differ.
    ///
    /// - Parameters:
    ///   - file: The value of `--passphrase-file`.
    ///   - what: What it is for.
    /// - Throws: ``Status/param`` if the two differ, or the input is not a valid passphrase.
    static func new(
        file: String?, for what: String = "the export"
    ) throws(KeychainError) -> Secret {
        if let file {
            return try readPassphraseFile(file, origin: "--passphrase-file")
        }
        var prompt = "passphrase for \(what): "
        for _ in 1...3 {
            let first = try askForSecret(prompt: prompt, hint: hint)
            try PassphraseChange.check(first)
            let second = try askForSecret(prompt: "passphrase again: ", hint: hint)
            if first.isEqual(to: second) {
                return first
            }
            prompt = "the passphrases don't match; passphrase for \(what): "
        }
        throw KeychainError(.param, "the passphrases don't match: nothing was exported")
    }

    /// Opens an existing export, or another encrypted file. A wrong passphrase that the user types is asked for again, up
    /// to three times.
    ///
    /// - Parameters:
    ///   - file: The value of `--passphrase-file`.
    ///   - what: What is opened.
    ///   - open: Opens it with a passphrase, which its argument reads if there is need of one.
    /// - Throws: What asking and opening throw.
    static func opening<Opened: ~Copyable>(
        file: String?, of what: String = "the export",
        _ open: (() throws(KeychainError) -> Secret) throws(KeychainError) -> Opened
    ) throws(KeychainError) -> Opened {
        for _ in 1...2 {
            var isTyped = false
            do throws(KeychainError) {
                return try open { () throws(KeychainError) in
                    isTyped = file == nil
                    return try read(file, of: what)
                }
            } catch {
                guard isTyped, [.authFailed, .pkcs12VerifyFailure].contains(error.status) else {
                    throw error
                }
                printError(KeychainError(error.status, error.reason))
            }
        }
        return try open { () throws(KeychainError) in try read(file, of: what) }
    }

    private static func read(_ file: String?, of what: String) throws(KeychainError) -> Secret {
        if let file {
            return try readPassphraseFile(file, origin: "--passphrase-file")
        }
        return try askForSecret(prompt: "passphrase of \(what): ", hint: hint)
    }
}
