internal import KeychainServices
internal import LinuxSystem

/// The private folder of records and copies: a copy of config.json may contain plain-text logins. A tool's
/// record is the file with its name; a copy is named by the tool and the digest of its bytes.
struct RecordFolder: Sendable {
    let path: String
    private let home: String?

    init(_ environment: SetupEnvironment) {
        path = environment.folder
        home = environment.homeOfRecords
    }

    /// Locks the records, copies and files of setups for this process, until the result ends.
    ///
    /// - Throws: ``Status/databaseLocked`` if another process has the lock for ten seconds.
    func lock() throws(KeychainError) -> Descriptor {
        let deadline = Deadline(milliseconds: 10_000)
        while true {
            let folder = try PinnedFolder(path, makesMissing: true)
            guard let lock = try folder.lock(until: deadline) else {
                throw KeychainError(
                    .databaseLocked, "another lanyard setup is running",
                    hint: "try again when it has ended")
            }
            // An undo removes the folder, for which others may already wait.
            if let status = try? SystemCalls.status(of: lock.number), status.linkCount > 0 {
                return lock
            }
        }
    }

    /// Returns the record of a tool's setup, empty without one.
    func record(_ tool: Tool) throws(KeychainError) -> SetupRecord {
        guard let bytes = try read(file(tool)) else {
            return SetupRecord(entries: [])
        }
        guard let text = String(validating: bytes, as: UTF8.self),
            let record = SetupRecord(text: text, home: home)
        else {
            throw KeychainError(
                .decode, "can't read the setup record '\(file(tool))'",
                hint: "the copies next to it are the original files")
        }
        return record
    }

    /// The programs with a record, sorted by name.
    var programs: [Tool] {
        FolderListing.names(path).filter { $0.hasPrefix(Tool.programPrefix) }.sorted()
            .map { .program(String($0.dropFirst(Tool.programPrefix.count))) }
    }

    /// Stores a record instead of the previous one; an empty one removes it.
    func keep(_ record: SetupRecord, _ tool: Tool) throws(KeychainError) {
        guard !record.entries.isEmpty else {
            return try remove(file(tool))
        }
        try PrivatePlace.makeFolder(path)
        try PrivatePlace.replaceFile(file(tool), Array(record.text(home: home).utf8).span)
    }

    /// Returns the ids of the files that setups on this machine moved into the keychain. Any other item that looks
    /// like one may come from an import or from another machine.
    ///
    /// - Throws: ``Status/decode`` for invalid text, ``Status/io``.
    func movedFiles() throws(KeychainError) -> Set<String> {
        guard let bytes = try read(movedFilesFile) else {
            return []
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw KeychainError(.decode, "can't read the setup record '\(movedFilesFile)'")
        }
        return Set(text.split(separator: "\n").map(String.init))
    }

    /// Stores these ids; without any, the file and an empty folder are removed.
    func keep(movedFiles: Set<String>) throws(KeychainError) {
        guard !movedFiles.isEmpty else {
            try remove(movedFilesFile)
            try? SystemCalls.removeFolder(path)
            return
        }
        try PrivatePlace.makeFolder(path)
        let text = movedFiles.sorted().map { "\($0)\n" }.joined()
        try PrivatePlace.replaceFile(movedFilesFile, Array(text.utf8).span)
    }

    private var movedFilesFile: String { "\(path)/moved-files" }

    /// Stores a copy of a file's bytes.
    func keepCopy(_ bytes: FileBytes, _ tool: Tool) throws(KeychainError) {
        try PrivatePlace.makeFolder(path)
        let name = copy(tool, SetupRecord.digest(bytes))
        if try read(name) != bytes {
            try bytes.withBytes { bytes throws(KeychainError) in
                try PrivatePlace.replaceFile(name, bytes)
            }
        }
    }

    /// Returns the copy of a file's bytes before its setup, nil if the file did not exist.
    ///
    /// - Throws: ``Status/decode`` if the copy has changed.
    func original(_ entry: SetupRecord.Entry, _ tool: Tool) throws(KeychainError) -> FileBytes? {
        guard let digest = entry.before else {
            return nil
        }
        guard let bytes = try read(copy(tool, digest)), SetupRecord.digest(bytes) == digest else {
            throw KeychainError(
                .decode, "the copy of '\(entry.path)' in '\(path)' is missing or damaged")
        }
        return bytes
    }

    /// Removes the copies that only the first record mentions.
    func removeCopies(
        of record: SetupRecord, keeping other: SetupRecord, _ tool: Tool
    ) throws(KeychainError) {
        let needed = Set(other.entries.compactMap(\.before))
        for digest in Set(record.entries.compactMap(\.before)).subtracting(needed) {
            try remove(copy(tool, digest))
        }
    }

    private func file(_ tool: Tool) -> String { "\(path)/\(tool.recordName)" }

    /// Returns the path of the copy with a digest.
    func copy(_ tool: Tool, _ digest: String) -> String {
        "\(path)/\(tool.recordName)-\(digest)"
    }

    private func read(_ file: String) throws(KeychainError) -> FileBytes? {
        switch try PrivatePlace.readIfThere(file, limit: TargetFile.limit) {
        case .some(let bytes): FileBytes(bytes)
        case .none: nil
        }
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
