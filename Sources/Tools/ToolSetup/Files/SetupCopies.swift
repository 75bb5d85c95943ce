package import KeychainServices
internal import LinuxSystem

/// The copies of original files that setups store for an undo. After logins were removed from a file, its
/// copy must not contain them either.
package struct SetupCopies {
    private let records: RecordFolder

    /// Finds the copies in an environment.
    package init(_ environment: SetupEnvironment) {
        records = RecordFolder(environment)
    }

    /// Returns the path of a file's copy, nil without one.
    ///
    /// - Throws: ``Status/decode`` for an invalid setup record, ``Status/io``.
    package func path(of file: String) throws(KeychainError) -> String? {
        guard let (tool, entry) = try find(file), let digest = entry.before else {
            return nil
        }
        return records.copy(tool, digest)
    }

    /// Stores other bytes as a file's copy. The old copy remains then, unused.
    ///
    /// - Throws: As ``path(of:)``.
    package func replace(copyOf file: String, with bytes: borrowing Secret) throws(KeychainError) {
        let lock = try records.lock()
        defer { extendLifetime(lock) }
        guard let (tool, entry) = try find(file), entry.before != nil else {
            return
        }
        let bytes = FileBytes(bytes.copy())
        try records.keepCopy(bytes, tool)
        let changed = SetupRecord.Entry(
            path: entry.path, before: SetupRecord.digest(bytes), after: entry.after,
            insertion: entry.insertion, folders: entry.folders)
        var record = try records.record(tool)
        record.entries = record.entries.map { $0.path == entry.path ? changed : $0 }
        try records.keep(record, tool)
    }

    /// Returns the bytes that an undo of the setup would restore, or the current ones of a file that no
    /// setup has changed.
    ///
    /// - Parameter bytes: The current bytes.
    /// - Throws: As ``path(of:)``.
    package func original(
        of file: String, with bytes: borrowing Secret
    ) throws(KeychainError) -> Secret {
        guard let (tool, entry) = try find(file) else {
            return bytes.copy()
        }
        let original = try entry.undone(
            FileBytes(bytes.copy()), original: try records.original(entry, tool))
        return original?.secret ?? bytes.copy()
    }

    /// Lets an undo of the setup restore a file's original bytes, logins included, if only the setup has
    /// changed it.
    ///
    /// - Returns: Whether a setup has changed the file.
    /// - Throws: As ``path(of:)``.
    package func restore(_ file: RestoredFile) throws(KeychainError) -> Bool {
        let lock = try records.lock()
        defer { extendLifetime(lock) }
        guard let (tool, entry) = try find(file.path, of: [file.tool]),
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

    /// - Parameter tools: Those whose files have logins.
    private func find(
        _ file: String, of tools: [Tool] = [.git, .docker, .kubectl]
    ) throws(KeychainError) -> (Tool, SetupRecord.Entry)? {
        for tool in tools {
            for entry in try records.record(tool).entries
            where PrivatePlace.areSame(entry.path, file) {
                return (tool, entry)
            }
        }
        return nil
    }
}
