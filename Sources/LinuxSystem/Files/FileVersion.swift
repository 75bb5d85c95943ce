internal import Glibc

/// A file at one moment: what is written to it later, or put in its place, has another version.
package struct FileVersion: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: [Int]
    private let changed: [Int]

    /// The version of what a descriptor is open on now. The corresponding C function is `fstat`.
    package init(of descriptor: Int32) throws(SystemCallError) {
        self.init(try SystemCalls.fstat(descriptor))
    }

    /// The version of what stands at a path now, a symbolic link itself and not its target. The
    /// corresponding C function is `lstat`.
    package init(at path: String) throws(SystemCallError) {
        self.init(try SystemCalls.lstat(path))
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}
