package import KeychainServices

/// A file that gets back the logins that a setup has moved out of it.
package struct RestoredFile: Sendable {
    /// The tool that uses the logins.
    package let tool: Tool
    let path: String
    let bytes: FileBytes
    let style: FileStyle

    /// - Parameter original: The result of ``MovedFiles/original(_:)``.
    package init(_ file: MovedFile, original: consuming Secret) {
        tool = file.tool
        path = file.path
        bytes = FileBytes(original)
        style = file.kind == .leftover(.gitCredentials) ? .gitLogins : .secret
    }

    /// Returns the change for a file that no setup has changed otherwise.
    func change(of file: TargetFile) -> FileChange {
        FileChange(
            path: path, summary: [RestoredFile.summary], lines: [], before: file.bytes,
            after: bytes, entry: nil, original: nil, style: style)
    }

    /// Says what happens to it, for users.
    package static let summary =
        "restores the logins that the setup moved into the keychain"
}
