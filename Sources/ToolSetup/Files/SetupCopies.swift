public import KeychainServices
internal import LinuxSystem

/// The copies that setups keep of files as they were, so that they can be undone. Where logins were taken
/// out of a file, its copy must not hold them either.
public struct SetupCopies {
    private let records: RecordFolder

    /// The copies that are kept in an environment.
    public init(_ environment: SetupEnvironment) {
        records = RecordFolder(path: environment.folder)
    }

    /// The path of the copy of a file, nil if there is none.
    ///
    /// - Throws: ``Status/decode`` if a setup's record can't be read, ``Status/io``.
    public func path(of file: String) throws(KeychainError) -> String? {
        guard let (tool, entry) = try find(file), let digest = entry.before else {
            return nil
        }
        return records.copy(tool, digest)
    }

    /// Keeps other bytes as the copy of a file. The old copy is still there then, and nobody's.
    ///
    /// - Throws: As ``path(of:)``.
    public func replace(copyOf file: String, with bytes: [UInt8]) throws(KeychainError) {
        guard let (tool, entry) = try find(file), entry.before != nil else {
            return
        }
        try records.keepCopy(bytes, tool)
        let changed = SetupRecord.Entry(
            path: entry.path, before: SetupRecord.digest(bytes), after: entry.after,
            insertion: entry.insertion, folders: entry.folders)
        var record = try records.record(tool)
        record.entries = record.entries.map { $0.path == entry.path ? changed : $0 }
        try records.keep(record, tool)
    }

    /// The bytes that an undo of the setup would give a file; those that it has if no setup has changed it.
    ///
    /// - Parameter bytes: The bytes that it has.
    /// - Throws: As ``path(of:)``.
    public func original(
        of file: String, with bytes: borrowing Secret
    ) throws(KeychainError) -> Secret {
        let bytes = bytes.withBytes { ByteString(copying: $0).bytes }
        guard let (tool, entry) = try find(file) else {
            return Secret(copying: bytes.span)
        }
        let original =
            try entry.undone(bytes, original: try records.original(entry, tool)) ?? bytes
        return Secret(copying: original.span)
    }

    /// Lets an undo of the setup give a file the bytes back that it had before, logins included, if
    /// nothing but the setup has changed it.
    ///
    /// - Returns: Whether a setup has changed the file.
    /// - Throws: As ``path(of:)``.
    public func restore(_ file: RestoredFile) throws(KeychainError) -> Bool {
        guard let (tool, entry) = try find(file.path),
            let current = try TargetFile(entry.path).bytes
        else {
            return false
        }
        try records.keepCopy(file.bytes, tool)
        let old = try records.record(tool)
        var new = old
        let restored = SetupRecord.Entry(
            path: entry.path, before: SetupRecord.digest(file.bytes),
            after: SetupRecord.digest(current), insertion: entry.insertion,
            folders: entry.folders)
        new.entries = old.entries.map { $0.path == entry.path ? restored : $0 }
        try records.keep(new, tool)
        try records.removeCopies(of: old, keeping: new, tool)
        return true
    }

    private func find(
        _ file: String
    ) throws(KeychainError) -> (Tool, SetupRecord.Entry)? {
        for tool in Tool.allCases {
            for entry in try records.record(tool).entries
            where PrivatePlace.areSame(entry.path, file) {
                return (tool, entry)
            }
        }
        return nil
    }
}
