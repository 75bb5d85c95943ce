internal import Glibc
package import LanyardSecrets

/// A file at one moment: a later write or replacement changes its version.
package struct FileVersion: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: [Int]
    private let changed: [Int]

    /// Creates the present version of a descriptor's file. The corresponding C function is `fstat`.
    package init(of descriptor: Int32) throws(SystemCallError) {
        self.init(try SystemCalls.fstat(descriptor))
    }

    /// Creates the present version of the file at a path; a symbolic link itself, not its target.
    /// The corresponding C function is `lstat`.
    package init(at path: String) throws(SystemCallError) {
        self.init(try SystemCalls.lstat(path))
    }

    /// Whether both are versions of one file, and no other has replaced it.
    package func isSameFile(as other: FileVersion) -> Bool {
        device == other.device && inode == other.inode
    }

    /// Whether the file did not change in the last seconds.
    package func isOlder(thanSeconds seconds: Int64, now: Timestamp) -> Bool {
        Int64(changed[0]) < now.secondsSinceEpoch - seconds
    }

    /// Reads the stored form.
    package init(reading reader: inout ByteReader) throws(KeychainError) {
        device = try reader.number()
        inode = try reader.number()
        size = try reader.number()
        modified = [try reader.number(), try reader.number()]
        changed = [try reader.number(), try reader.number()]
    }

    /// Appends the stored form.
    package func append(to writer: inout ByteWriter) {
        writer.number(device)
        writer.number(inode)
        writer.number(size)
        for time in modified + changed {
            writer.number(time)
        }
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}
