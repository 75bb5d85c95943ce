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
        let new = try TemporaryFile(beside: file.realPath, in: .any, isLockOfGit: isGits)
        switch rest {
        case .some(let rest):
            try rest.withBytes { bytes throws(KeychainError) in try new.append(bytes) }
            try new.setAccess(group: status.group, permissions: status.permissions)
            try new.sync()
            // Checked as late as possible.
            try checkUnchanged(bytes)
            try new.replace(syncsFile: false)
        case .none:
            try checkUnchanged(bytes)
            try new.removeOriginal()
        }
        return try overwrite()
    }

    /// Overwrites the old bytes, which would otherwise remain on the disk until something else is written
    /// there.
    private func overwrite() throws(KeychainError) -> Bool {
        do throws(SystemCallError) {
            // Our name is gone: any remaining name belongs to someone else.
            guard try SystemCalls.status(of: descriptor).linkCount == 0 else {
                return false
            }
            try SystemCalls.overwrite(descriptor, count: status.size)
            try SystemCalls.fsync(descriptor)
            return true
        } catch {
            throw error.keychainError(
                "the logins were removed from '\(file.path)', but the old bytes on the disk"
                    + " can't be overwritten")
        }
    }
}
