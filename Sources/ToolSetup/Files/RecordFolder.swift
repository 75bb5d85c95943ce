internal import KeychainServices
internal import LinuxSystem

/// The folder of records and copies, its owner's alone: a copy of config.json may hold logins in
/// plain text. The record of a tool is the file of its name; a copy is named by the tool and the
/// digest of its bytes.
struct RecordFolder: Sendable {
    /// The folder.
    let path: String

    /// The record of a tool's setup, empty if there is none.
    func record(_ tool: Tool) throws(KeychainError) -> SetupRecord {
        guard let bytes = try read(file(tool)) else {
            return SetupRecord(entries: [])
        }
        guard let text = String(validating: bytes, as: UTF8.self),
            let record = SetupRecord(text: text)
        else {
            throw KeychainError(
                .decode, "the record of a setup '\(file(tool))' can't be read",
                hint: "the copies beside it are the files as they were")
        }
        return record
    }

    /// Keeps a record, in the place of the one before; an empty one takes it away.
    func keep(_ record: SetupRecord, _ tool: Tool) throws(KeychainError) {
        guard !record.entries.isEmpty else {
            return try remove(file(tool))
        }
        try PrivatePlace.makeFolder(path)
        try PrivatePlace.replaceFile(file(tool), Array(record.text.utf8).span)
    }

    /// Keeps a copy of a file's bytes.
    func keepCopy(_ bytes: [UInt8], _ tool: Tool) throws(KeychainError) {
        try PrivatePlace.makeFolder(path)
        let name = copy(tool, SetupRecord.digest(bytes))
        if try read(name) != bytes {
            try PrivatePlace.replaceFile(name, bytes.span)
        }
    }

    /// The copy of a file's bytes before its setup, nil if there was no file.
    ///
    /// - Throws: ``Status/decode`` if the copy is not what it was.
    func original(_ entry: SetupRecord.Entry, _ tool: Tool) throws(KeychainError) -> [UInt8]? {
        guard let digest = entry.before else {
            return nil
        }
        guard let bytes = try read(copy(tool, digest)), SetupRecord.digest(bytes) == digest else {
            throw KeychainError(
                .decode, "the copy of '\(entry.path)' in '\(path)' is missing or damaged")
        }
        return bytes
    }

    /// Takes away the copies that one record speaks of and the other does not.
    func removeCopies(
        of record: SetupRecord, keeping other: SetupRecord, _ tool: Tool
    ) throws(KeychainError) {
        let needed = Set(other.entries.compactMap(\.before))
        for digest in Set(record.entries.compactMap(\.before)).subtracting(needed) {
            try remove(copy(tool, digest))
        }
    }

    private func file(_ tool: Tool) -> String { "\(path)/\(tool.rawValue)" }

    /// The path of the copy with a digest.
    func copy(_ tool: Tool, _ digest: String) -> String {
        "\(path)/\(tool.rawValue)-\(digest)"
    }

    private func read(_ file: String) throws(KeychainError) -> [UInt8]? {
        let size: Int
        do throws(SystemCallError) {
            size = try SystemCalls.status(at: file).size
        } catch {
            guard error.code == SystemCallError.noEntry else {
                throw error.keychainError("can't look at '\(file)'")
            }
            return nil
        }
        try PrivatePlace.checkFolder(path)
        return try PrivatePlace.read(file, limit: min(size, TargetFile.limit))
            .withBytes { ByteString(copying: $0).bytes }
    }

    private func remove(_ file: String) throws(KeychainError) {
        do throws(SystemCallError) {
            try SystemCalls.unlink(file)
        } catch {
            guard error.code == SystemCallError.noEntry else {
                throw error.keychainError("can't remove '\(file)'")
            }
        }
    }
}
