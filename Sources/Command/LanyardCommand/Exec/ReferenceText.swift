internal import KeychainServices
internal import LinuxSystem

/// A file with references to secrets, or standard input.
enum ReferenceText {
    /// The most bytes that it may have.
    private static let limit = 16 << 20

    /// Reads it.
    ///
    /// - Parameter path: `-` is standard input.
    /// - Throws: ``Status/itemNotFound`` for a missing file, ``Status/dataTooLarge``, ``Status/io``.
    static func read(_ path: String) throws(KeychainError) -> FileBytes {
        let name = path == "-" ? "standard input" : "'\(path)'"
        do throws(SystemCallError) {
            let isOurs = path != "-"
            let descriptor = isOurs ? try SystemCalls.openStream(path) : 0
            defer {
                if isOurs {
                    SystemCalls.close(descriptor)
                }
            }
            if let bytes = try SystemCalls.readToEnd(descriptor, limit: limit) {
                return FileBytes(bytes)
            }
        } catch {
            throw error.code == SystemCallError.noEntry
                ? LinkedFile.notFound(path) : error.keychainError("can't read \(name)")
        }
        throw KeychainError(.dataTooLarge, "\(name) is longer than 16 MiB")
    }

    /// Runs a parser, whose errors get the file's name.
    static func parsing<Result>(
        _ path: String, _ body: (FileBytes) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let bytes = try read(path)
        do throws(KeychainError) {
            return try body(bytes)
        } catch {
            let name = path == "-" ? "standard input" : "'\(path)'"
            throw KeychainError(error.status, "\(error.reason) (\(name))", hint: error.hint)
        }
    }
}
