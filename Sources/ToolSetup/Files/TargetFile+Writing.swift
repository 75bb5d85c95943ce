internal import KeychainServices
internal import LinuxSystem

extension TargetFile {
    /// Returns the missing folders above the file, outermost first.
    func missingFolders() throws(KeychainError) -> [String] {
        var missing: [String] = []
        var folder = PrivatePlace.parent(of: realPath) ?? "/"
        while try !PrivatePlace.exists(folder) {
            missing.insert(folder, at: 0)
            folder = PrivatePlace.parent(of: folder) ?? "/"
        }
        return missing
    }

    /// Throws unless this user can replace or create the file and preserve its owner.
    ///
    /// The permission bits apply to root, too: users make files read-only on purpose.
    ///
    /// - Throws: ``Status/writePermissions`` or ``Status/readOnly`` with the obstacle.
    func checkReplaceable(_ style: FileStyle) throws(KeychainError) {
        if style != .link {
            try LinkedFile(path).checkReplaceable()
        }
        let missing = try missingFolders()
        try LinkedFile.checkChangeable(
            folder: PrivatePlace.parent(of: missing.first ?? realPath) ?? "/")
        if style.isGits, try PrivatePlace.exists(lockPath) {
            throw lockedByGit
        }
    }

    /// Replaces the file's content in one step, with its permissions and group; nil removes the file.
    ///
    /// - Parameter expected: The bytes to replace.
    /// - Throws: ``Status/databaseLocked`` if another program is changing the file or has changed it.
    func replace(
        _ expected: FileBytes?, with bytes: FileBytes?, _ style: FileStyle
    ) throws(KeychainError) {
        for folder in try missingFolders() {
            do throws(SystemCallError) {
                try SystemCalls.mkdir(folder, mode: 0o700)
            } catch {
                throw error.keychainError("can't make the folder '\(folder)'")
            }
        }
        guard style != .link else {
            return try replaceLink(expected, with: bytes)
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
        // A later change removes it if this process is killed.
        _ = try? SystemCalls.lock(byte: TemporaryFile.lockedByte, of: descriptor, .exclusive)
        do throws(KeychainError) {
            defer { SystemCalls.close(descriptor) }
            try TargetFile(path).expect(expected)
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
        let folder = PrivatePlace.folder(of: realPath)
        try? PinnedFolder(folder, .any).removeAbandoned(of: PrivatePlace.name(of: realPath))
        try PrivatePlace.syncFolder(folder)
    }

    private func replaceLink(
        _ expected: FileBytes?, with target: FileBytes?
    ) throws(KeychainError) {
        try TargetFile(path, .link).expect(expected)
        do throws(SystemCallError) {
            guard let target else {
                return try SystemCalls.unlink(path)
            }
            let temporary = "\(path).new-\(SystemCalls.monotonicMilliseconds())"
            try SystemCalls.makeLink(temporary, to: target.name)
            try SystemCalls.rename(temporary, path)
        } catch {
            throw error.keychainError("can't replace '\(path)'")
        }
    }

    private func fill(
        _ descriptor: Int32, _ bytes: FileBytes, _ style: FileStyle
    ) throws(SystemCallError) {
        try bytes.withBytes { bytes throws(SystemCallError) in
            try SystemCalls.writeAll(descriptor, bytes)
        }
        if let status, status.group != (try SystemCalls.status(of: descriptor)).group {
            try SystemCalls.changeGroup(descriptor, status.group)
        }
        try SystemCalls.changeMode(descriptor, status?.permissions ?? style.permissions)
        try SystemCalls.fsync(descriptor)
    }

    private var lockPath: String { "\(realPath).lock" }

    /// Throws unless the file had these bytes when it was read.
    ///
    /// - Throws: ``Status/databaseLocked``.
    func expect(_ expected: FileBytes?) throws(KeychainError) {
        guard bytes == expected else {
            throw KeychainError(
                .databaseLocked, "another program has just changed '\(path)'",
                hint: "run the command again")
        }
    }

    private var lockedByGit: KeychainError {
        KeychainError(
            .databaseLocked, "git is changing '\(realPath)': '\(lockPath)' exists",
            hint: "if no git is running: rm \(PrivatePlace.quoted(lockPath))")
    }
}
