internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// The file of a keychain's log of uses, and the older one that it has replaced: records of one size,
/// one after the other.
struct UseLogFile {
    /// The size of a record in bytes.
    static let recordSize = 512
    /// The number of bytes at a record's start that tell it from all others.
    static let nonceSize = 24
    /// The size in bytes that a file may have; then a new one begins.
    static let limit = 1 << 20

    /// The file's name, in the folder of the keychain.
    let name: String
    /// The name of the older file.
    var olderName: String { "\(name).1" }
    /// The path, for messages.
    var path: String { "\(dataFolder)/\(name)" }

    private let dataFolder: String

    /// For how long to wait for other processes, in milliseconds.
    private static let timeout: Int64 = 1000

    init(_ location: KeychainLocation) {
        dataFolder = location.dataFolder
        name = "\(KeychainLocation.stem(of: location.file)).log"
    }

    /// Appends records. One whose writing was interrupted is removed. The log of another keychain, as
    /// after a restoration, is renamed.
    ///
    /// - Parameters:
    ///   - size: The size of the records in bytes, at most ``limit``.
    ///   - isOurs: Returns whether a record is the log's.
    ///   - make: Makes them; gets the nonce of the last record, empty if there is none.
    /// - Throws: ``Status/invalidKeychain`` for a file of another program.
    func append(
        size: Int, isOurs: ([UInt8]) -> Bool,
        _ make: (_ last: [UInt8]) throws(KeychainError) -> [UInt8]
    ) throws(KeychainError) {
        let folder = try PinnedFolder(dataFolder)
        let deadline = Deadline(milliseconds: UseLogFile.timeout)
        while true {
            let file = try open(in: folder, isForWriting: true, until: deadline)
            guard let file else {
                throw KeychainError(.io, "can't write '\(path)'")
            }
            let present = try calling("read") { () throws(SystemCallError) in
                Int(try SystemCalls.fstat(file.number).st_size)
            }
            let end = present - present % UseLogFile.recordSize
            guard try self.isOurs(file.number, present, end, isOurs) else {
                try putAside(in: folder)
                continue
            }
            guard end + size <= UseLogFile.limit || end == 0 else {
                // While other processes wait for the lock; they see that the name has moved on.
                try calling("rename") { () throws(SystemCallError) in
                    try SystemCalls.rename(name, olderName, in: folder.number)
                }
                continue
            }
            let records = try make(last(of: file.number, end, in: folder))
            return try calling("write") { () throws(SystemCallError) in
                try UseLogFile.write(records, to: file.number, at: end, present)
            }
        }
    }

    /// Returns whether the first or the last record is the log's.
    ///
    /// - Throws: ``Status/invalidKeychain`` if another program must have made the file.
    private func isOurs(
        _ file: Int32, _ size: Int, _ end: Int, _ isOurs: ([UInt8]) -> Bool
    ) throws(KeychainError) -> Bool {
        guard size > 0 else {
            return true
        }
        for start in [end - UseLogFile.recordSize, 0] where start >= 0 {
            let record = try calling("read") { () throws(SystemCallError) in
                try SystemCalls.read(file, UseLogFile.recordSize, at: start)
            }
            if isOurs(record) {
                return true
            }
        }
        let start = try calling("read") { () throws(SystemCallError) in
            try SystemCalls.read(file, min(size, UseLogFile.recordSize), at: 0)
        }
        // Records of another keychain, or the beginning of one, look like random bytes.
        guard end == size || end == 0, String(validating: start, as: UTF8.self) == nil else {
            throw KeychainError(
                .invalidKeychain, "'\(path)' is not a log of this keychain",
                hint: "rm \(path.shellQuoted)")
        }
        return false
    }

    /// Gives both files other names. Called while other processes wait for the lock.
    private func putAside(in folder: borrowing PinnedFolder) throws(KeychainError) {
        var suffix = ".other"
        var number = 1
        while try folder.status(of: name + suffix) != nil {
            number += 1
            suffix = ".other-\(number)"
        }
        let folderNumber = folder.number
        // The name that others look at moves last.
        for name in [olderName, name] {
            try calling("rename") { () throws(SystemCallError) in
                do throws(SystemCallError) {
                    try SystemCalls.rename(name, name + suffix, in: folderNumber)
                } catch  where error.code == ENOENT {
                    // There need not be an older one.
                }
            }
        }
    }

    private static func write(
        _ records: [UInt8], to file: Int32, at end: Int, _ present: Int
    ) throws(SystemCallError) {
        if end != present {
            try SystemCalls.truncate(file, to: end)
        }
        do throws(SystemCallError) {
            try SystemCalls.writeAll(file, records.span)
        } catch {
            try? SystemCalls.truncate(file, to: end)
            throw error
        }
    }

    /// Returns the nonce of the last record.
    private func last(
        of file: Int32, _ end: Int, in folder: borrowing PinnedFolder
    ) throws(KeychainError) -> [UInt8] {
        let number = folder.number
        return try calling("read") { () throws(SystemCallError) in
            if end > 0 {
                return try SystemCalls.read(
                    file, UseLogFile.nonceSize, at: end - UseLogFile.recordSize)
            }
            do throws(SystemCallError) {
                let older = Descriptor(
                    owning: try SystemCalls.open(
                        olderName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, in: number))
                let size = Int(try SystemCalls.fstat(older.number).st_size)
                return try size < UseLogFile.recordSize
                    ? []
                    : SystemCalls.read(
                        older.number, UseLogFile.nonceSize,
                        at: (size / UseLogFile.recordSize - 1) * UseLogFile.recordSize)
            } catch  where error.code == ENOENT {
                return []
            }
        }
    }

    /// Reads both files.
    ///
    /// - Returns: The older records and the present ones, nil for a file that is missing.
    func read() throws(KeychainError) -> (older: [UInt8]?, present: [UInt8]?) {
        let folder = try PinnedFolder(dataFolder)
        // No process replaces the file meanwhile.
        let file = try open(
            in: folder, isForWriting: false,
            until: Deadline(milliseconds: UseLogFile.timeout))
        let older = try UseLogFile.bytes(of: olderName, in: folder)
        guard file != nil else {
            return (older, nil)
        }
        return (older, try UseLogFile.bytes(of: name, in: folder))
    }

    private static func bytes(
        of name: String, in folder: borrowing PinnedFolder
    ) throws(KeychainError) -> [UInt8]? {
        do throws(KeychainError) {
            return try folder.read(name, limit: limit).withBytes { ByteString(copying: $0).bytes }
        } catch  where error.status == .noSuchKeychain {
            return nil
        }
    }

    /// Deletes both files, unless another program must have made them.
    func remove() {
        for path in [path, "\(path).1"] {
            guard let status = try? SystemCalls.status(at: path), status.kind == .file,
                status.size.isMultiple(of: UseLogFile.recordSize)
            else {
                continue
            }
            try? SystemCalls.unlink(path)
        }
    }

    /// Opens the file and locks it: against all others for writing, against writers for reading.
    ///
    /// - Returns: nil if it is missing; never for writing.
    private func open(
        in folder: borrowing PinnedFolder, isForWriting: Bool, until deadline: Deadline
    ) throws(KeychainError) -> Descriptor? {
        while true {
            guard let number = try open(in: folder, isForWriting: isForWriting) else {
                return nil
            }
            let file = Descriptor(owning: number)
            guard SystemCalls.lock(file.number, isShared: !isForWriting, until: deadline) else {
                throw KeychainError(.databaseLocked, "another program holds '\(path)'")
            }
            let status = try calling("read") { () throws(SystemCallError) in
                try SystemCalls.fstat(file.number)
            }
            try PrivatePlace.check(status, path, kind: S_IFREG)
            if try folder.status(of: name)?.st_ino == status.st_ino {
                return file
            }
            guard !deadline.hasPassed else {
                throw KeychainError(.databaseLocked, "another program holds '\(path)'")
            }
        }
    }

    private func open(
        in folder: borrowing PinnedFolder, isForWriting: Bool
    ) throws(KeychainError) -> Int32? {
        let access = isForWriting ? O_RDWR | O_APPEND | O_CREAT : O_RDONLY
        do throws(SystemCallError) {
            return try SystemCalls.open(
                name, access | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, in: folder.number)
        } catch {
            switch error.code {
            case ENOENT where !isForWriting: return nil
            case ELOOP: throw PrivatePlace.linkRefused(path)
            default: throw error.keychainError("can't open '\(path)'")
            }
        }
    }

    /// Runs a closure whose errors then name the file.
    private func calling<Result>(
        _ action: StaticString, _ body: () throws(SystemCallError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(SystemCallError) {
            return try body()
        } catch {
            throw error.keychainError("can't \(action) '\(path)'")
        }
    }
}
