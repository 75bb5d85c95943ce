/// A file that gets the logins back that a setup has moved out of it.
public struct RestoredFile: Sendable {
    /// Its path.
    let path: String
    /// The bytes that it gets.
    let bytes: [UInt8]
    let style: FileStyle

    /// - Parameter original: What ``MovedFiles/original(_:)`` says.
    public init(_ file: MovedFile, original: [UInt8]) {
        path = file.path
        bytes = original
        style = file.kind == .gitCredentials ? .gitLogins : .secret
    }

    /// The change that it is, of a file that no setup has changed otherwise.
    func change(of file: TargetFile) -> FileChange {
        FileChange(
            path: path, summary: [RestoredFile.summary], lines: [], before: file.bytes,
            after: bytes, entry: nil, original: nil, style: style)
    }

    /// What becomes of it, for a person.
    public static let summary =
        "the file gets the logins back that the setup moved into the keychain"
}
