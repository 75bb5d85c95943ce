internal import Configuration
internal import Glibc
public import KeychainServices
public import SealedStore
internal import LinuxSystem

extension GivenPassphrase {
    /// Reads `lanyard.passphrase` from CREDENTIALS_DIRECTORY, where systemd's LoadCredential= puts it, else
    /// the file that LANYARD_PASSPHRASE_FILE names; nil without either.
    ///
    /// - Throws: What ``readPassphraseFile(_:origin:)`` throws, ``Status/authFailed`` for a missing file.
    public static func read() throws(KeychainError) -> GivenPassphrase? {
        if let folder = try Environment.value("CREDENTIALS_DIRECTORY") {
            let file = "\(folder)/lanyard.passphrase"
            if isThere(file) {
                return try read(file, origin: "CREDENTIALS_DIRECTORY")
            }
        }
        guard let file = try Environment.value("LANYARD_PASSPHRASE_FILE") else {
            return nil
        }
        return try read(file, origin: "LANYARD_PASSPHRASE_FILE")
    }

    /// Reads all of standard input.
    ///
    /// - Throws: ``Status/authFailed`` if it is unreadable or empty, ``Status/dataTooLarge``,
    ///   ``Status/param`` if the terminal would show what the user types.
    static func standardInput() throws(KeychainError) -> GivenPassphrase {
        guard isatty(0) == 0 else {
            throw KeychainError(
                .param, "standard input is a terminal, which would show the passphrase",
                hint: "leave --stdin out, and lanyard asks for it")
        }
        return GivenPassphrase(try PassphraseFile.standardInput.read(), origin: "--stdin")
    }

    /// Whether a passphrase is available to read.
    static var isThere: Bool {
        if let folder = try? Environment.value("CREDENTIALS_DIRECTORY"),
            isThere("\(folder)/lanyard.passphrase")
        {
            return true
        }
        return (try? Environment.value("LANYARD_PASSPHRASE_FILE")) != nil
    }

    private static func read(
        _ file: String, origin: String
    ) throws(KeychainError) -> GivenPassphrase {
        GivenPassphrase(try PassphraseFile(file, origin: origin).read(), origin: origin)
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
