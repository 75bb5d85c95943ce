internal import CLinux
internal import Glibc

extension SystemCalls {
    /// Begins to write to the disk what was changed in a file, and does not wait until it is there: that
    /// is for fsync to see to. The corresponding C function is `sync_file_range`.
    package static func beginWriting(_ descriptor: Int32) throws(SystemCallError) {
        _ = try perform("sync_file_range") { lanyard_begin_writing(descriptor) }
    }

    /// A descriptor through which this process can write a file, nil if there is none among the first
    /// thousand. Who opens and closes the file to have one loses all of the process's locks on it.
    package static func descriptorForChange(of path: String) -> Int32? {
        var wanted = stat()
        // Safe: the path has its NUL at the end and lives for the call, as does what is filled in.
        guard unsafe fstatat(currentFolder, path, &wanted, 0) == 0 else {
            return nil
        }
        return (0..<1_000).first { descriptor in
            guard let found = try? fstat(descriptor) else {
                return false
            }
            return found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev
                && fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDWR
        }
    }
}
