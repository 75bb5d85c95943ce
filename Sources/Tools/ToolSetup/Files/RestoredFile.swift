package import KeychainServices

/// A file that gets back the logins that a setup has moved out of it.
package struct RestoredFile: Sendable {
    /// The tool that uses the logins.
    package let tool: Tool
    let path: String
    let bytes: FileBytes
    let style: FileStyle
    /// Whether the file has changed since: only logins come back that it lacks.
    package let isMerged: Bool

    /// - Parameters:
    ///   - original: The result of ``MovedFiles/original(_:)``.
    ///   - isMerged: Whether the file has changed since: ``MovedFile/canBeMerged``.
    package init(_ file: MovedFile, original: consuming Secret, isMerged: Bool = false) {
        self.isMerged = isMerged
        tool = file.tool
        path = file.path
        bytes = FileBytes(original)
        style = file.kind == .leftover(.gitCredentials) ? .gitLogins : .secret
    }

    /// Returns the change for a file; nil if there is none.
    ///
    /// - Parameter change: What the undo of a setup changes in it, nil for nothing.
    /// - Throws: ``Status/decode`` if it can't be read.
    func change(
        of file: TargetFile, after change: FileChange?
    ) throws(KeychainError) -> FileChange? {
        let present = change.map { $0.after } ?? file.bytes
        let after = isMerged ? try merged(with: present).bytes : bytes
        guard after != file.bytes else {
            return nil
        }
        return FileChange(
            path: path, summary: (change?.summary ?? []) + [RestoredFile.summary],
            lines: change?.lines ?? [], before: file.bytes, after: after, entry: nil,
            original: nil, style: style)
    }

    /// The registries with another login in the file, which stays.
    ///
    /// - Throws: As ``TargetFile/init(_:)``, ``Status/decode`` if it can't be read.
    package var others: [String] {
        get throws(KeychainError) {
            isMerged ? try merged(with: try TargetFile(path).bytes).others : []
        }
    }

    private func merged(
        with present: FileBytes?
    ) throws(KeychainError) -> (bytes: FileBytes, others: [String]) {
        guard let present else {
            return (bytes, [])
        }
        return try DockerConfigText(present, path: path)
            .merging(try DockerConfigText(bytes, path: path), path: path)
    }

    /// Says what happens to it, for users.
    package static let summary =
        "restores the logins that the setup moved into the keychain"
}
