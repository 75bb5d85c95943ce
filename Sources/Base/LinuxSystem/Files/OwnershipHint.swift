internal import Glibc
internal import LanyardSecrets

extension PrivatePlace {
    /// Returns advice about a file or folder that belongs to another user.
    ///
    /// It suggests changing the owner only if just the user and root could have created it there.
    /// Anywhere else another user may have planted it for us to trust, or may need it.
    package static func ownershipHint(_ path: String) -> String {
        takeOverCommand(path)
            ?? (SystemCalls.effectiveUser == 0
                ? "use root's own home folder, as sudo -H does" : "use a folder of its own")
    }

    /// Returns the command that takes over another user's file or folder, or the folder of Lanyard's in which it
    /// is; nil if that is not to be suggested.
    package static func takeOverCommand(_ path: String) -> String? {
        var place = path
        while !mayBeTakenOver(place) {
            let above = folder(of: place)
            guard isLanyards(above), let owner = try? SystemCalls.lstat(above).st_uid,
                ![0, SystemCalls.effectiveUser].contains(owner)
            else {
                return nil
            }
            place = above
        }
        return "\(SystemCalls.effectiveUser == 0 ? "" : "sudo ")\(takingOver(place))"
    }

    /// Returns advice about a folder of Lanyard's that can't be reached or made, because of what is in its
    /// place or above it; nil for other paths.
    package static func obstacleHint(_ path: String) -> String? {
        guard isLanyards(path) else {
            return nil
        }
        if let hint = permissionHint(path) {
            return hint
        }
        let obstacle = nearestExisting(path)
        if let real = SystemCalls.realPath(obstacle), let status = try? SystemCalls.lstat(real),
            status.st_mode & S_IFMT == S_IFDIR, isRootsInOwnFolder(real)
        {
            return "sudo \(takingOver(obstacle))"
        }
        return "set LANYARD_HOME to a folder of your own"
    }

    /// Returns the command that gives this user back the permissions for a file or folder of their own, or for the
    /// folder that hides it; nil if they are not what is missing.
    package static func permissionHint(_ path: String) -> String? {
        let obstacle = nearestExisting(path)
        guard !isOfSystem(obstacle), let real = SystemCalls.realPath(obstacle),
            let status = try? SystemCalls.lstat(real),
            status.st_uid == SystemCalls.effectiveUser
        else {
            return nil
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let needed: mode_t = isFolder ? 0o700 : 0o600
        return status.st_mode & needed == needed
            ? nil : "chmod u+rw\(isFolder ? "x" : "") \(obstacle.shellQuoted)"
    }

    /// Returns the command that takes a file or folder over: a folder of Lanyard's with all that is in it.
    private static func takingOver(_ path: String) -> String {
        let status = try? SystemCalls.lstat(path)
        let isFolder = (status?.st_mode ?? 0) & S_IFMT == S_IFDIR
        let option = isFolder && isLanyards(path) ? "-R " : ""
        return "chown \(option)\(SystemCalls.effectiveUser) \(path.shellQuoted)"
    }

    /// Whether root has made a folder in one of this user's, as `sudo` and containers' volumes do.
    private static func isRootsInOwnFolder(_ path: String) -> Bool {
        var folder = path
        while folder != "/", let owner = try? SystemCalls.lstat(folder).st_uid {
            guard owner == 0, SystemCalls.effectiveUser != 0 else {
                return folder != path && owner == SystemCalls.effectiveUser
            }
            folder = self.folder(of: folder)
        }
        return false
    }

    /// Whether to suggest changing the owner of another user's file or folder.
    private static func mayBeTakenOver(_ path: String) -> Bool {
        !isOfSystem(path) && isOutOfReach(folder(of: path))
    }

    /// Whether the system itself needs a path unchanged: Lanyard never suggests changing its
    /// permissions or its owner.
    package static func isOfSystem(_ path: String) -> Bool {
        let real = SystemCalls.realPath(path) ?? path
        let folder = folder(of: real)
        return ["/", "/etc", "/var", "/home"].contains(folder)
            || ["/usr", "/bin", "/sbin", "/lib", "/dev", "/proc", "/sys", "/boot"].contains {
                real.hasPrefix("\($0)/")
            } && !real.hasPrefix("/dev/shm/")
    }

    /// Whether only the user and root can create or replace anything in a folder.
    private static func isOutOfReach(_ folder: String) -> Bool {
        var folder = SystemCalls.realPath(folder)
        var othersMayAdd: mode_t = 0
        while let path = folder {
            guard let status = try? SystemCalls.lstat(path),
                [0, SystemCalls.effectiveUser].contains(status.st_uid),
                // In a folder like /tmp users can't remove each other's files.
                status.st_mode & 0o022 == 0 || status.st_mode & othersMayAdd != 0
            else {
                return false
            }
            othersMayAdd = S_ISVTX
            folder = path == "/" ? nil : self.folder(of: path)
        }
        return true
    }
}
