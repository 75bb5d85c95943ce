internal import KeychainServices

/// A plan in the making.
struct Proposal {
    /// The tool.
    let tool: Tool
    /// What earlier setups did.
    let record: SetupRecord
    /// Where the bytes from before them are.
    let records: RecordFolder
    /// The changes so far.
    var changes: [FileChange] = []
    /// The notes so far.
    var notes: [String] = []
    /// The logins so far that the tool will no longer use.
    var unusedLogins: [UnusedLogins] = []

    init(tool: Tool, record: SetupRecord, records: RecordFolder) {
        self.tool = tool
        self.record = record
        self.records = records
    }

    /// A file's bytes without what an earlier setup put in: what a new setup starts from, and what
    /// its undo will restore.
    func base(_ file: TargetFile) throws(KeychainError) -> [UInt8]? {
        guard let entry = record.entry(file.path) else {
            return file.bytes
        }
        return try entry.undone(file.bytes, original: try records.original(entry, tool))
    }

    /// Has a file get these bytes.
    ///
    /// - Parameters:
    ///   - base: What ``base(_:)`` said.
    ///   - insertion: What is put in.
    ///   - summary: What changes for the tool's user.
    ///   - lines: The lines that change.
    mutating func change(
        _ file: TargetFile, base: [UInt8]?, to bytes: [UInt8], _ insertion: Insertion,
        summary: [String], lines: [String], _ style: FileStyle
    ) throws(KeychainError) {
        // Folders that an earlier setup made are still its to remove.
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
