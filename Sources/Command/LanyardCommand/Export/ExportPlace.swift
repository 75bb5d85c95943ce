internal import Glibc
internal import LanyardTransfer
internal import KeychainServices
internal import LinuxSystem

/// The target of an export, checked before any question.
enum ExportPlace {
    case standardOutput
    /// An absolute path, and whether an existing file may be replaced.
    case file(String, replaces: Bool)

    /// A new file, or standard output.
    ///
    /// - Parameter binary: What the bytes are, unless they are text.
    /// - Throws: ``Status/duplicateKeychain`` if the path exists, ``Status/itemNotFound`` if its folder is missing,
    ///   ``Status/param`` for bytes that are not text on a terminal.
    init(new text: String, binary: String? = nil) throws(KeychainError) {
        guard text != "-" else {
            if let binary, isatty(1) != 0 {
                throw KeychainError(
                    .param, "\(binary) can't be shown at a terminal",
                    hint: "name a file, or redirect standard output")
            }
            self = .standardOutput
            return
        }
        let path = try absolutePath(toWrite: text)
        guard try !PrivatePlace.exists(path) else {
            throw ExportPlace.isThere(path, hint: "choose another name, or remove it first")
        }
        self = .file(path, replaces: false)
    }

    /// An export of items, which can replace an earlier one.
    ///
    /// - Throws: As ``init(new:binary:)``, and ``Status/param`` if the file to replace is not an earlier
    ///   export.
    init(_ text: String, replaces: Bool, isPlainText: Bool) throws(KeychainError) {
        guard text != "-" else {
            self = try ExportPlace(new: text, binary: isPlainText ? nil : "an encrypted export")
            return
        }
        let path = try absolutePath(toWrite: text)
        if try PrivatePlace.exists(path) {
            guard replaces else {
                throw ExportPlace.isThere(
                    path, hint: ExportPlace.isExport(path) ? ExportPlace.replacingHint : nil)
            }
            guard ExportPlace.isExport(path) else {
                throw KeychainError(.param, "'\(path)' is not an export: not replaced")
            }
        }
        self = .file(path, replaces: replaces)
    }

    private static let replacingHint = "--replace replaces an earlier export"

    static func isThere(_ path: String, hint: String? = nil) -> KeychainError {
        KeychainError(.duplicateKeychain, "'\(path)' already exists", hint: hint)
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
