internal import Glibc
internal import Secrets

extension PrivatePlace {
    /// Returns advice about a file or folder that belongs to another user.
    ///
    /// It suggests changing the owner only if just the user and root could have created it there.
    /// Anywhere else another user may have planted it for us to trust, or may need it.
    package static func ownershipHint(_ path: String) -> String {
        if mayBeTakenOver(path) {
            let user = SystemCalls.effectiveUser
            return "\(user == 0 ? "" : "sudo ")chown \(user) \(path.shellQuoted)"
        }
        return SystemCalls.effectiveUser == 0
            ? "use root's own home folder, as sudo -H does" : "use a folder of its own"
    }

    /// Returns whether to suggest changing the owner of another user's file or folder.
    package static func mayBeTakenOver(_ path: String) -> Bool {
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
