internal import LanyardConfiguration
internal import Glibc
internal import KeychainServices
internal import SealedStore
internal import LinuxSystem

extension GivenPassphrase {
    /// Returns `lanyard.passphrase` in CREDENTIALS_DIRECTORY, where systemd's LoadCredential= puts it, else
    /// the file that LANYARD_PASSPHRASE_FILE names; nil without either.
    ///
    /// - Throws: ``Status/param`` for an invalid descriptor number.
    static func file() throws(KeychainError) -> PassphraseFile? {
        if let folder = try Environment.value("CREDENTIALS_DIRECTORY") {
            let file = "\(folder)/lanyard.passphrase"
            if isThere(file) {
                return try PassphraseFile(file, origin: "CREDENTIALS_DIRECTORY")
            }
        }
        guard let file = try Environment.value("LANYARD_PASSPHRASE_FILE") else {
            return nil
        }
        return try PassphraseFile(file, origin: "LANYARD_PASSPHRASE_FILE")
    }

    /// Returns standard input as a file.
    ///
    /// - Throws: ``Status/param`` if the terminal would show what the user types.
    static func standardInput() throws(KeychainError) -> PassphraseFile {
        guard isatty(0) == 0 else {
            throw KeychainError(
                .param, "standard input is a terminal, which would show the passphrase",
                hint: "leave --stdin out, and lanyard asks for it")
        }
        return PassphraseFile.standardInput
    }

    /// Whether a passphrase is available to read.
    package static var isThere: Bool {
        if let folder = try? Environment.value("CREDENTIALS_DIRECTORY"),
            isThere("\(folder)/lanyard.passphrase")
        {
            return true
        }
        return (try? Environment.value("LANYARD_PASSPHRASE_FILE")) != nil
    }

    /// Whether the file exists; a dangling link counts, because it is a mistake to report.
    private static func isThere(_ file: String) -> Bool {
        do throws(SystemCallError) {
            _ = try SystemCalls.status(at: file)
            return true
        } catch {
            return error.code != SystemCallError.noEntry
                && error.code != SystemCallError.notAFolder
        }
    }
}
