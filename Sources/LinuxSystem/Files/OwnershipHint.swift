internal import Glibc

extension PrivatePlace {
    /// What to do with a file or folder that belongs to another user.
    ///
    /// Only where nobody but the user and root could have put it there it is made the user's own:
    /// anywhere else another user may have made it, for us to trust, or it is theirs to use.
    package static func ownershipHint(_ path: String) -> String {
        if mayBeTakenOver(path) {
            let user = SystemCalls.effectiveUser
            return "\(user == 0 ? "" : "sudo ")chown \(user) \(quoted(path))"
        }
        return SystemCalls.effectiveUser == 0
            ? "use root's own home folder, as sudo -H does" : "use a folder of its own"
    }

    /// Whether a file or folder of another user's may be made the user's own.
    package static func mayBeTakenOver(_ path: String) -> Bool {
        !isOfSystem(path) && isOutOfReach(parent(of: path) ?? "/")
    }

    /// Whether a path is one that the system itself needs as it is: nobody is to be told to change its
    /// permissions or its owner.
    package static func isOfSystem(_ path: String) -> Bool {
        let real = SystemCalls.realPath(path) ?? path
        let folder = parent(of: real) ?? "/"
        return ["/", "/etc", "/var", "/home"].contains(folder)
            || ["/usr", "/bin", "/sbin", "/lib", "/dev", "/proc", "/sys", "/boot"].contains {
                real.hasPrefix("\($0)/")
            } && !real.hasPrefix("/dev/shm/")
    }

    /// Whether nobody but the user and root can put something in a folder, or another one in its place.
    private static func isOutOfReach(_ folder: String) -> Bool {
        var folder = SystemCalls.realPath(folder)
        var othersMayAdd: mode_t = 0
        while let path = folder {
            guard let status = try? SystemCalls.lstat(path),
                [0, SystemCalls.effectiveUser].contains(status.st_uid),
                // Out of a folder as /tmp nobody takes what is another's.
                status.st_mode & 0o022 == 0 || status.st_mode & othersMayAdd != 0
            else {
                return false
            }
            othersMayAdd = S_ISVTX
            folder = path == "/" ? nil : parent(of: path) ?? "/"
        }
        return true
    }
}
