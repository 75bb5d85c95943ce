internal import Glibc
internal import ItemExport
internal import KeychainServices
internal import LinuxSystem

/// The target of an export, checked before any question.
enum ExportPlace {
    case standardOutput
    /// An absolute path, and whether an existing file may be replaced.
    case file(String, replaces: Bool)

    /// - Throws: ``Status/duplicateKeychain`` if the path exists, ``Status/param`` if the file to replace
    ///   is not an earlier export, and for encrypted bytes on a terminal.
    init(_ text: String, replaces: Bool, isPlainText: Bool) throws(KeychainError) {
        guard text != "-" else {
            guard isPlainText || isatty(1) == 0 else {
                throw KeychainError(
                    .param, "an encrypted export can't be shown at a terminal",
                    hint: "name a file, or redirect standard output")
            }
            self = .standardOutput
            return
        }
        let path = try absolutePath(text)
        if try PrivatePlace.exists(path) {
            guard replaces else {
                throw ExportPlace.isThere(path)
            }
            guard ExportPlace.isExport(path) else {
                throw KeychainError(.param, "'\(path)' is not an export: not replaced")
            }
        }
        self = .file(path, replaces: replaces)
    }

    static func isThere(_ path: String) -> KeychainError {
        KeychainError(
            .duplicateKeychain, "'\(path)' already exists",
            hint: "--replace replaces an earlier export")
    }

    /// Whether it is a file, not a link, that starts like an export.
    private static func isExport(_ path: String) -> Bool {
        guard let number = try? SystemCalls.openForReading(path) else {
            return false
        }
        let descriptor = Descriptor(owning: number)
        guard let start = try? SystemCalls.readSecret(descriptor.number, 64) else {
            return false
        }
        return SealedExport.isSealed(start) || ExportDocument.isDocument(start)
    }
}
