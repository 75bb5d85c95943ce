internal import KeychainServices

/// A plan under construction.
struct Proposal {
    let tool: Tool
    /// The changes of earlier setups.
    let record: SetupRecord
    /// The folder with the original bytes.
    let records: RecordFolder
    /// The changes so far.
    var changes: [FileChange] = []
    /// The notes so far.
    var notes: [String] = []
    /// Whether none of the tool's programs is on the PATH.
    var isToolMissing = false
    /// The logins so far that the tool will stop using.
    var unusedLogins: [UnusedLogins] = []

    /// Returns a file's bytes without the insertion of an earlier setup: a new setup starts from them, and
    /// its undo restores them.
    func base(_ file: TargetFile) throws(KeychainError) -> FileBytes? {
        guard let entry = record.entry(file.path) else {
            return file.bytes
        }
        return try entry.undone(file.bytes, original: try records.original(entry, tool))
    }

    /// Plans these bytes for a file.
    ///
    /// - Parameters:
    ///   - base: The result of ``base(_:)``.
    ///   - insertion: The inserted part.
    ///   - summary: What changes for the tool's user.
    ///   - lines: The lines that change.
    mutating func change(
        _ file: TargetFile, base: FileBytes?, to bytes: FileBytes, _ insertion: Insertion,
        summary: [String], lines: [String], _ style: FileStyle
    ) throws(KeychainError) {
        // Folders that an earlier setup created are still its to remove.
        let folders = record.entry(file.path)?.folders ?? []
        let entry = SetupRecord.Entry(
            path: file.path, before: base.map(SetupRecord.digest),
            after: SetupRecord.digest(bytes), insertion: insertion,
            folders: folders + (try file.missingFolders()).filter { !folders.contains($0) })
        changes.append(
            FileChange(
                path: file.path, summary: summary, lines: lines, before: file.bytes, after: bytes,
                entry: entry, original: base, style: style))
    }
}
