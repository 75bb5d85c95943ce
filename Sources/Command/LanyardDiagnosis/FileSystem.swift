internal import CLinux
internal import Glibc

/// Information about a path's file system.
struct FileSystem {
    /// How many more bytes this user can write.
    let freeBytes: UInt64
    /// Whether it is mounted read-only.
    let isReadOnly: Bool
    /// Whether it is on another machine.
    let isRemote: Bool

    /// Inspects a path's file system, nil if unknown. The corresponding C functions are `statvfs` and
    /// `statfs`.
    init?(_ path: String) {
        var space = statvfs()
        // Safe: the path is NUL-terminated, and outlives the calls, as does the variable.
        guard unsafe statvfs(path, &space) == 0 else {
            return nil
        }
        freeBytes = UInt64(space.f_bavail) * UInt64(space.f_frsize)
        isReadOnly = UInt(space.f_flag) & 1 != 0
        isRemote = unsafe FileSystem.remote.contains(lanyard_file_system_kind(path))
    }

    /// NFS, SMB in two forms, and FUSE mounts, such as sshfs: statfs(2).
    private static let remote: Set<UInt32> = [0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546]

    /// Whether the file system rejects locks on a file, as some servers do. It takes no lock. The
    /// corresponding C function is `fcntl` with F_GETLK.
    static func refusesLocks(_ path: String) -> Bool {
        // Safe: the path is NUL-terminated and outlives the call.
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor != -1 else {
            return false
        }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        // Safe: the variable outlives the call.
        return unsafe fcntl(descriptor, F_GETLK, &lock) == -1 && errno != EINVAL
    }
}
