internal import LanyardPrompting
internal import KeychainServices
internal import LinuxSystem

/// Writes an export in pieces; a file gets its name only when it is complete.
final class ExportOutput {
    private let place: ExportPlace
    private var file: TemporaryFile?

    init(_ place: ExportPlace) throws(KeychainError) {
        self.place = place
        if case .file(let path, _) = place {
            file = try TemporaryFile(beside: path, in: .any, isNamed: false)
        }
    }

    func append(_ piece: borrowing Secret) throws(KeychainError) {
        switch file {
        case .some(let file):
            try piece.withBytes { bytes throws(KeychainError) in try file.append(bytes) }
        case .none: try writeAnswer(piece)
        }
    }

    /// Gives the file its name.
    ///
    /// - Throws: ``Status/duplicateKeychain`` if the name is taken by now.
    func finish() throws(KeychainError) {
        guard case .file(let path, let replaces) = place, let file = file.take() else {
            return
        }
        if replaces {
            try file.replace()
        } else if try !file.make() {
            throw ExportPlace.isThere(path)
        }
    }
}
