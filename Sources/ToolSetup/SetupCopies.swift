public import Keychain
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
