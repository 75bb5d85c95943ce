internal import CLinux
internal import Glibc

/// What there is to know of the file system that a path is on.
struct FileSystem {
    /// How many bytes this user can still write.
    let freeBytes: UInt64
    /// Whether it is mounted read-only.
    let isReadOnly: Bool
    /// Whether another machine keeps it.
    let isRemote: Bool

    /// The one that a path is on, nil if that can't be told. The corresponding C functions are
    /// `statvfs` and `statfs`.
    init?(_ path: String) {
        var space = statvfs()
        // Safe: the path has its NUL at the end and lives for the calls, as does the variable.
        guard unsafe statvfs(path, &space) == 0 else {
            return nil
        }
        freeBytes = UInt64(space.f_bavail) * UInt64(space.f_frsize)
        isReadOnly = UInt(space.f_flag) & 1 != 0
        isRemote = unsafe FileSystem.remote.contains(lanyard_file_system_kind(path))
    }

    /// NFS, SMB in two forms, and what is mounted by FUSE, such as sshfs: statfs(2).
    private static let remote: Set<UInt32> = [0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546]

    /// Whether locks on a file are refused, as by some servers. None is taken. The corresponding C
    /// function is `fcntl` with F_GETLK.
    static func refusesLocks(_ path: String) -> Bool {
        // Safe: the path has its NUL at the end and lives for the call.
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor != -1 else {
            return false
        }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        // Safe: the variable lives for the call.
        return unsafe fcntl(descriptor, F_GETLK, &lock) == -1 && errno != EINVAL
    }
}
