internal import Glibc
internal import LinuxSystem
package import LanyardSecrets

/// A folder as a team's server, for trying it and for one person's few machines: a local folder, or one on NFS.
///
/// A team is one file there. A put writes the new file, syncs it to the disk, and renames it: whenever the process
/// or the machine stops, the folder has the old file or the new one. A lock, of a byte of another file, lets one
/// process write at a time. Machines share it over NFS 4, whose server has the locks.
///
/// Each put writes the whole file, so this is no server for tens of thousands of items, or for many devices. Folder
/// and files are for their owner alone: all machines use them as the same user.
///
/// syncthing and programs like it copy the file between machines as a whole, so each machine always has a valid
/// state. But they have no locks: if two machines store something before the file has been copied, one of the two
/// files wins, and the other one becomes a conflict copy, which is never read. The device whose file lost sees a
/// server that is older than it was, and gives it the lacking changes with its next exchange. What syncthing
/// can't give is a roster that two owners change at the same time: one of both changes is lost, and the devices
/// that saw it refuse the other.
package final class FolderTransport: SyncTransport {
    /// The path of the folder.
    package let path: String
    private let name: String
    private let timeLimit: Int64
    /// What was opened last.
    private var known: TeamFile?

    private let sizeLimit: Int

    /// Creates a transport; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - path: The path of the folder.
    ///   - timeLimit: The milliseconds to wait for other processes that write.
    ///   - sizeLimit: The most bytes of the team's file.
    package init(
        _ path: String, team: Identifier, timeLimit: Int64 = 10_000, sizeLimit: Int = 256 << 20
    ) {
        self.path = path
        self.timeLimit = timeLimit
        self.sizeLimit = sizeLimit
        name = "\(team.text).team"
    }

    /// Makes the folder, if it is missing.
    package func create() throws(KeychainError) {
        do throws(KeychainError) {
            _ = try PinnedFolder(path, makesMissing: true)
        } catch {
            throw unusable(error)
        }
    }

    package func head() throws(KeychainError) -> ServerHead {
        let folder = try open()
        guard let file = try file(in: folder) else {
            return ServerState().head
        }
        var reader = ByteReader(try file.read(ServerState.headSize, at: 0))
        do throws(KeychainError) {
            return try ServerState.head(reading: &reader)
        } catch {
            throw unreadable(error)
        }
    }

    package func changes(since head: ServerHead) throws(KeychainError) -> ServerChanges {
        try look { file throws(KeychainError) in
            try (file?.state ?? ServerState()).changes(since: head) {
                content throws(KeychainError) in
                try file?.read(content) ?? []
            }
        }
    }

    package func record(_ id: Identifier) throws(KeychainError) -> ServerRecord? {
        try look { file throws(KeychainError) in
            try file?.state.record(id) { content throws(KeychainError) in
                try file?.read(content) ?? []
            }
        }
    }

    package func put(
        _ records: [ServerRecord], rosterCount: UInt64
    ) throws(KeychainError) -> PutResult {
        try change { $0.put(records, rosterCount: rosterCount) }
    }

    package func putRoster(
        _ entry: [UInt8], at head: ServerHead
    ) throws(KeychainError) -> PutResult {
        try change { $0.putRoster(entry, at: head) }
    }

    // MARK: The file

    private var filePath: String { "\(path)/\(name)" }

    /// Returns the error for what the file has in it; others as they are.
    private func unreadable(_ error: KeychainError) -> KeychainError {
        switch error.status {
        case _ where error.ownReason != nil: error
        case .wrongVersion:
            KeychainError(
                .wrongVersion,
                "the team's file '\(filePath)' has a form that this Lanyard does not know",
                hint:
                    "if other members have a newer Lanyard, install it; if not, someone else changed the file"
            )
        case .dataTooLarge: tooLarge("has more than a million records")
        case .decode:
            KeychainError(
                .decode, "the team's file '\(filePath)' is damaged or not complete",
                hint: "wait until it is copied, or restore it from a backup")
        default: error
        }
    }

    private func tooLarge(_ reason: String) -> KeychainError {
        KeychainError(
            .dataTooLarge, "the team's file '\(filePath)' \(reason)",
            hint: "use a PostgreSQL server or a git repository")
    }

    private func open() throws(KeychainError) -> PinnedFolder {
        do throws(KeychainError) {
            return try PinnedFolder(path)
        } catch {
            throw unusable(error)
        }
    }

    /// Returns the error for the folder: it may be that of another user, who gives it to several.
    private func unusable(_ error: KeychainError) -> KeychainError {
        switch error.status {
        case .noSuchKeychain:
            return KeychainError(
                .notAvailable, "the team's folder '\(path)' is missing",
                hint: "mount it, or wait until it is copied")
        case .writePermissions:
            let isOwn = (try? SystemCalls.lstat(path))?.st_uid == SystemCalls.effectiveUser
            let own = isOwn ? error.hint.map { "\($0); " } : nil
            return KeychainError(
                error.status, error.reason,
                hint: (own ?? "")
                    + "a folder is for the machines of one user: several users share a git repository or "
                    + "a PostgreSQL server")
        default: return error
        }
    }

    /// Does something with the team's file, nil if it is missing.
    private func look<Result>(
        _ body: (TeamFile?) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let folder = try open()
        do throws(KeychainError) {
            return try body(try opened(in: folder))
        } catch {
            known = nil
            throw unreadable(error)
        }
    }

    /// - Returns: The team's file with where everything in it is, nil if it is missing. It is read only if it is another one
    ///   than before.
    private func opened(in folder: borrowing PinnedFolder) throws(KeychainError) -> TeamFile? {
        let version = try? FileVersion(at: filePath)
        if let known, let version, known.version == version {
            return known
        }
        known = nil
        guard let file = try file(in: folder) else {
            return nil
        }
        let opened = try TeamFile(file, version)
        // As long as it is open, no other file has its number.
        if let version, (try? FileVersion(at: filePath)) == version {
            known = opened
        }
        return opened
    }

    /// - Returns: The team's file, nil if it is missing.
    private func file(
        in folder: borrowing PinnedFolder
    ) throws(KeychainError) -> PrivateFile? {
        do throws(KeychainError) {
            let file = try PrivateFile(name, in: folder)
            guard file.size <= sizeLimit else {
                throw tooLarge("is larger than \(sizeLimit >> 20) MiB")
            }
            return file
        } catch {
            guard error.status == .noSuchKeychain else {
                throw error
            }
            return nil
        }
    }

    private func change(
        _ body: (inout ServerState) -> PutResult
    ) throws(KeychainError) -> PutResult {
        let folder = try open()
        let lock = try lock(in: folder)
        do throws(KeychainError) {
            let file = try opened(in: folder)
            var state = file?.state ?? ServerState()
            guard body(&state) == .stored else {
                return .conflict
            }
            try removeLeftovers(in: folder)
            var writer = try ChunkWriter(filePath)
            try state.write(to: &writer) { count, offset throws(KeychainError) in
                try file?.read(count, at: offset) ?? []
            }
            guard writer.size <= sizeLimit else {
                throw tooLarge("can't become larger than \(sizeLimit >> 20) MiB")
            }
            try writer.finish()
        } catch {
            known = nil
            throw unreadable(error)
        }
        // The lock ends with its descriptor, after the change.
        extendLifetime(lock)
        return .stored
    }

    /// Removes what killed processes left.
    private func removeLeftovers(in folder: borrowing PinnedFolder) throws(KeychainError) {
        for leftover in try folder.names() where leftover.hasPrefix("\(name).new-") {
            try? SystemCalls.unlink(leftover, in: folder.number)
        }
    }

    /// Waits until no other process writes.
    private func lock(in folder: borrowing PinnedFolder) throws(KeychainError) -> Descriptor {
        let deadline = Deadline(milliseconds: timeLimit)
        guard let lock = try folder.lock("\(name).lock", until: deadline) else {
            throw KeychainError(
                .notAvailable, "another program is writing to the team's file '\(filePath)'",
                hint: "try again in a minute")
        }
        return lock
    }
}
