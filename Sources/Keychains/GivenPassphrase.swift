internal import Configuration
internal import Glibc
public import KeychainServices
public import SealedStore
internal import LinuxSystem

extension GivenPassphrase {
    /// Reads what systemd's LoadCredential= has put into CREDENTIALS_DIRECTORY as
    /// `lanyard.passphrase`, else what LANYARD_PASSPHRASE_FILE names; nil if neither is there.
    ///
    /// - Throws: What ``readPassphraseFile(_:origin:)`` throws.
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
    /// - Throws: ``Status/authFailed`` if it can't be read or holds nothing, ``Status/dataTooLarge``,
    ///   ``Status/param`` where a person would have to type it in plain sight.
    static func standardInput() throws(KeychainError) -> GivenPassphrase {
        guard isatty(0) == 0 else {
            throw KeychainError(
                .param, "standard input is a terminal, which would show the passphrase",
                hint: "leave --stdin out: then you are asked")
        }
        return GivenPassphrase(try PassphraseFile.standardInput.read(), origin: "--stdin")
    }

    /// Whether there is one to be read.
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
        GivenPassphrase(try readPassphraseFile(file, origin: origin), origin: origin)
    }

    /// Whether there is something, be it a link to nowhere, which is a mistake to be told.
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
