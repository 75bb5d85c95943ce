internal import LanyardTransfer
internal import KeychainServices
internal import LinuxSystem

/// The items of an export, encrypted or not.
struct ExportSource: ImportSource {
    private let document: Document
    /// The number of items, including those beyond a keychain's limits.
    let count: Int

    /// A document that closures can share.
    private final class Document {
        let text: Secret

        init(_ text: consuming Secret) {
            self.text = text
        }
    }

    /// Reads and checks all of it.
    ///
    /// - Parameters:
    ///   - file: A path, `-` for standard input.
    ///   - passphraseFile: The file with the passphrase, nil to ask the user.
    /// - Throws: ``Status/itemNotFound`` without a file, ``Status/authFailed`` for a wrong passphrase,
    ///   ``Status/decode`` unless it is an intact export, ``Status/wrongVersion``, and what reading throws.
    init(_ file: String, passphraseFile: String?) throws(KeychainError) {
        let read =
            file == ImportedFiles.standardInput
            ? try PlainTextFile(standardInput: ())
            : try PlainTextFile(try absolutePath(file), isForChange: false)
        do throws(KeychainError) {
            document = Document(try ExportSource.text(of: read.bytes, passphraseFile))
            var count = 0
            try ExportDocument().read(document.text) { _ throws(KeychainError) in count += 1 }
            self.count = count
        } catch {
            throw KeychainError(
                error.status, "'\(read.path)' can't be imported: \(error.reason)",
                hint: error.hint)
        }
    }

    private static func text(
        of file: borrowing Secret, _ passphraseFile: String?
    ) throws(KeychainError) -> Secret {
        guard SealedExport.isSealed(file) else {
            return file.copy().locked()
        }
        return try ExportPassphrase.opening(file: passphraseFile) {
            passphrase throws(KeychainError) in
            try SealedExport.unseal(file, passphrase: passphrase()).locked()
        }
    }

    func forEach(_ body: ImportRecord.Body) throws(KeychainError) {
        try ExportDocument().read(document.text, body)
    }
}
