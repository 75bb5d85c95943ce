internal import KeychainServices
internal import LinuxSystem

extension TargetFile {
    /// Returns the missing folders above the file, outermost first.
    func missingFolders() throws(KeychainError) -> [String] {
        var missing: [String] = []
        var folder = PrivatePlace.folder(of: realPath)
        while try !PrivatePlace.exists(folder) {
            missing.insert(folder, at: 0)
            folder = PrivatePlace.folder(of: folder)
        }
        return missing
    }

    /// Throws unless this user can replace or create the file and preserve its owner.
    ///
    /// The permission bits apply to root, too: users make files read-only on purpose.
    ///
    /// - Throws: ``Status/writePermissions`` or ``Status/readOnly`` with the obstacle.
    func checkReplaceable(_ style: FileStyle) throws(KeychainError) {
        if let status, status.owner != SystemCalls.effectiveUser,
            let command = TargetFile.takeOverCommand(realPath)
        {
            throw KeychainError(
                .writePermissions, "the file '\(realPath)' belongs to another user", hint: command)
        }
        if style != .link {
            try LinkedFile(path).checkReplaceable()
        }
        let missing = try missingFolders()
        let folder = PrivatePlace.folder(of: missing.first ?? realPath)
        if status == nil {
            try LinkedFile.checkCreatable(path, in: folder)
        }
        do throws(KeychainError) {
            try LinkedFile.checkChangeable(folder: folder)
        } catch  where !missing.isEmpty {
            throw KeychainError(
                error.status, "can't make '\(path)': \(error.reason)", hint: error.hint)
        }
        if style.isGits, try PrivatePlace.exists(TemporaryFile.gitLock(of: realPath)) {
            throw TemporaryFile.lockedByGit(realPath)
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
        let new = try TemporaryFile(beside: realPath, in: .any, isLockOfGit: style.isGits)
        try TargetFile(path).expect(expected)
        guard let bytes else {
            return try new.removeOriginal()
        }
        try bytes.withBytes { bytes throws(KeychainError) in try new.append(bytes) }
        try new.setAccess(
            group: status?.group, permissions: status?.permissions ?? style.permissions)
        try new.replace()
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
}
