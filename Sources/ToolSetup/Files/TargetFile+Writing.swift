internal import KeychainServices
internal import LinuxSystem

extension TargetFile {
    /// The folders above the file that are not there, the outermost first.
    func missingFolders() throws(KeychainError) -> [String] {
        var missing: [String] = []
        var folder = PrivatePlace.parent(of: realPath) ?? "/"
        while try !PrivatePlace.exists(folder) {
            missing.insert(folder, at: 0)
            folder = PrivatePlace.parent(of: folder) ?? "/"
        }
        return missing
    }

    /// Throws unless the file can be replaced, or made, by this user with its owner kept.
    ///
    /// The permission bits count for root as well: who has made a file read-only means it.
    ///
    /// - Throws: ``Status/writePermissions`` or ``Status/readOnly`` with what is in the way.
    func checkReplaceable(_ style: FileStyle) throws(KeychainError) {
        try LinkedFile(path).checkReplaceable()
        let missing = try missingFolders()
        try LinkedFile.checkChangeable(
            folder: PrivatePlace.parent(of: missing.first ?? realPath) ?? "/")
        if style.isGits, try PrivatePlace.exists(lockPath) {
            throw lockedByGit
        }
    }

    /// Puts these bytes in the file's place in one step, with its permissions and its group; nil
    /// takes the file away.
    ///
    /// - Parameter expected: The bytes that are to be replaced.
    /// - Throws: ``Status/databaseLocked`` if somebody else is changing the file or it has other
    ///   bytes by now.
    func replace(
        _ expected: [UInt8]?, with bytes: [UInt8]?, _ style: FileStyle
    ) throws(KeychainError) {
        for folder in try missingFolders() {
            do throws(SystemCallError) {
                try SystemCalls.mkdir(folder, mode: 0o700)
            } catch {
                throw error.keychainError("can't make the folder '\(folder)'")
            }
        }
        let temporary =
            style.isGits
            ? lockPath : "\(realPath).new-\(Hexadecimal.encode(try RandomBytes.make(8)))"
        let descriptor: Int32
        do throws(SystemCallError) {
            descriptor = try SystemCalls.createForWriting(temporary)
        } catch {
            throw style.isGits && error.code == SystemCallError.exists
                ? lockedByGit : error.keychainError("can't write '\(realPath)'")
        }
        do throws(KeychainError) {
            defer { SystemCalls.close(descriptor) }
            guard try TargetFile(path).bytes == expected else {
                throw KeychainError(
                    .databaseLocked, "'\(path)' was changed by another program just now",
                    hint: "look at the plan once more")
            }
            do throws(SystemCallError) {
                if let bytes {
                    try fill(descriptor, bytes, style)
                    try SystemCalls.rename(temporary, realPath)
                } else {
                    try SystemCalls.unlink(realPath)
                    try SystemCalls.unlink(temporary)
                }
            } catch {
                throw error.keychainError("can't replace '\(realPath)'")
            }
        } catch {
            try? SystemCalls.unlink(temporary)
            throw error
        }
        try PrivatePlace.syncFolder(PrivatePlace.parent(of: realPath) ?? "/")
    }

    private func fill(
        _ descriptor: Int32, _ bytes: [UInt8], _ style: FileStyle
    ) throws(SystemCallError) {
        try SystemCalls.writeAll(descriptor, bytes.span)
        if let status, status.group != (try SystemCalls.status(of: descriptor)).group {
            try SystemCalls.changeGroup(descriptor, status.group)
        }
        try SystemCalls.changeMode(descriptor, status?.permissions ?? style.permissions)
        try SystemCalls.fsync(descriptor)
    }

    private var lockPath: String { "\(realPath).lock" }

    private var lockedByGit: KeychainError {
        KeychainError(
            .databaseLocked, "git is changing '\(realPath)': '\(lockPath)' is there",
            hint: "if no git is running: rm \(PrivatePlace.quoted(lockPath))")
    }
}
