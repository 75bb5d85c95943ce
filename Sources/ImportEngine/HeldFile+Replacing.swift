internal import KeychainServices
internal import LinuxSystem

extension HeldFile {
    /// Replaces the file's content in one step, with its permissions and group, and then overwrites the old
    /// bytes with zeros.
    ///
    /// - Parameters:
    ///   - rest: The new bytes; nil removes the file.
    ///   - bytes: The old bytes.
    ///   - isGits: Whether it is a file of git's, which needs git's lock.
    /// - Returns: Whether the old bytes were overwritten: not if the file has another name, whose content
    ///   someone may need.
    /// - Throws: ``Status/databaseLocked`` if the file has changed, or git is changing it. Nothing has
    ///   changed then, unless the error says otherwise.
    func replace(
        with rest: borrowing Secret?, instead bytes: borrowing Secret, isGits: Bool
    ) throws(KeychainError) -> Bool {
        let temporary =
            isGits
            ? "\(file.realPath).lock"
            : "\(file.realPath).new-\(Hexadecimal.encode(try RandomBytes.make(8)))"
        let new: Descriptor
        do throws(SystemCallError) {
            new = Descriptor(owning: try SystemCalls.createForWriting(temporary))
        } catch {
            throw isGits && error.code == SystemCallError.exists
                ? lockedByGit(temporary) : error.keychainError("can't write '\(file.realPath)'")
        }
        // Another import then leaves it alone, and a later one removes it if this process is killed.
        _ = try? SystemCalls.lock(byte: TemporaryFile.lockedByte, of: new.number, .exclusive)
        do throws(KeychainError) {
            try put(rest, bytes, new.number, temporary)
        } catch {
            try? SystemCalls.unlink(temporary)
            throw error
        }
        let folder = PrivatePlace.folder(of: file.realPath)
        try? PinnedFolder(folder, .any).removeAbandoned(of: PrivatePlace.name(of: file.realPath))
        try PrivatePlace.syncFolder(folder)
        return try overwrite()
    }

    private func put(
        _ rest: borrowing Secret?, _ bytes: borrowing Secret, _ new: Int32, _ temporary: String
    ) throws(KeychainError) {
        do throws(SystemCallError) {
            switch rest {
            case .some(let rest):
                try rest.withBytes { bytes throws(SystemCallError) in
                    try SystemCalls.writeAll(new, bytes)
                }
                let status = try SystemCalls.status(of: descriptor)
                if status.group != (try SystemCalls.status(of: new)).group {
                    try SystemCalls.changeGroup(new, status.group)
                }
                try SystemCalls.changeMode(new, status.permissions)
                try SystemCalls.fsync(new)
            case .none: break
            }
        } catch {
            throw error.keychainError("can't write '\(file.realPath)'")
        }
        // Checked as late as possible.
        try checkUnchanged(bytes)
        do throws(SystemCallError) {
            switch rest {
            case .some:
                try SystemCalls.rename(temporary, file.realPath)
            case .none:
                try SystemCalls.unlink(file.realPath)
                try SystemCalls.unlink(temporary)
            }
        } catch {
            throw error.keychainError("can't replace '\(file.realPath)'")
        }
    }

    /// Overwrites the old bytes, which would otherwise remain on the disk until something else is written
    /// there.
    private func overwrite() throws(KeychainError) -> Bool {
        do throws(SystemCallError) {
            // Our name is gone: any remaining name belongs to someone else.
            guard try SystemCalls.status(of: descriptor).linkCount == 0 else {
                return false
            }
            try SystemCalls.overwrite(descriptor, count: size)
            try SystemCalls.fsync(descriptor)
            return true
        } catch {
            throw error.keychainError(
                "the logins were removed from '\(file.path)', but the old bytes on the disk"
                    + " can't be overwritten")
        }
    }

    private func lockedByGit(_ lock: String) -> KeychainError {
        KeychainError(
            .databaseLocked, "git is changing '\(file.realPath)': '\(lock)' exists",
            hint: "if no git is running: rm \(PrivatePlace.quoted(lock))")
    }
}
