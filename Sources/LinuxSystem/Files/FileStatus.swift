internal import Glibc

/// What stands at a path, as far as it matters for replacing it. The corresponding type is
/// `struct stat`.
package struct FileStatus: Hashable, Sendable {
    /// What kind of thing it is.
    package enum Kind: Hashable, Sendable {
        case file, folder, link, socket, other
    }

    /// Its kind.
    package let kind: Kind
    /// Its permissions, the lowest twelve bits of the mode.
    package let permissions: UInt32
    /// The user it belongs to.
    package let owner: UInt32
    /// The group it belongs to.
    package let group: UInt32
    /// How many bytes it has.
    package let size: Int
    /// How many names it has.
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
