internal import ArgumentParser
internal import KeychainServices
internal import LanyardPrompting

/// The options of a file with a private key.
struct PrivateFileOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"),
        completion: .file())
    var file: String
    @Flag(name: .customLong("plain-text"), help: "Write the private key unencrypted.")
    var isPlainText = false
    @Option(
        name: .customLong("passphrase-file"),
        help: ArgumentHelp(
            "Read the file's passphrase from a file, or from an open descriptor from 3 up.",
            valueName: "path|fd"),
        completion: .file())
    var passphraseFile: String?

    /// Opens the file for writing.
    ///
    /// - Throws: ``Status/duplicateKeychain`` if it exists.
    func open() throws(KeychainError) -> ExportOutput {
        guard !isPlainText || passphraseFile == nil else {
            throw KeychainError(
                .param, "an unencrypted file has no passphrase",
                hint: "leave out --plain-text or --passphrase-file")
        }
        return try ExportOutput(try ExportPlace(new: file))
    }

    /// Returns the new passphrase, nil for an unencrypted file.
    func passphrase() throws(KeychainError) -> Secret? {
        guard !isPlainText else {
            printWarning("anyone who can read the file can use the private key")
            return nil
        }
        return try ExportPassphrase.new(file: passphraseFile, for: "the file")
    }
}
