internal import Glibc

/// The file or folder at a path, as far as it matters for replacing it. The corresponding type is
/// `struct stat`.
package struct FileStatus: Hashable, Sendable {
    /// The kind of a file or folder.
    package enum Kind: Hashable, Sendable {
        case file, folder, link, socket, other
    }

    /// Its kind.
    package let kind: Kind
    /// Its permissions, the lowest twelve bits of the mode.
    package let permissions: UInt32
    /// The user who owns it.
    package let owner: UInt32
    /// The group that owns it.
    package let group: UInt32
    /// The size in bytes.
    package let size: Int
    /// The number of hard links.
    package let linkCount: Int

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFSOCK: .socket
            default: .other
            }
        permissions = status.st_mode & 0o7777
        owner = status.st_uid
        group = status.st_gid
        size = Int(status.st_size)
        linkCount = Int(status.st_nlink)
    }
}
