internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// The files that SQLite looks for next to the keychain's, and trusts. They are checked before
/// SQLite sees them, because they may be as hostile as the keychain.
enum CompanionFiles {
    /// Throws if there is anything but a journal of ours next to a keychain.
    static func check(
        of file: String, in folder: borrowing PinnedFolder
    ) throws(KeychainError) {
        try checkJournal("\(file)-journal", in: folder)
        // SQLite would read and then write it even if the file is not in WAL mode.
        let log = "\(file)-wal"
        guard try folder.status(of: log) == nil else {
            let path = folder.path(of: log)
            throw KeychainError(
                .invalidKeychain, "'\(path)' does not belong to a keychain",
                hint: "rm \(path.shellQuoted)")
        }
    }

    private static func checkJournal(
        _ name: String, in folder: borrowing PinnedFolder
    ) throws(KeychainError) {
        do throws(KeychainError) {
            // SQLite would wait for a FIFO's writer.
            try folder.checkFile(name)
        } catch {
            if error.status == .noSuchKeychain {
                return
            }
            throw error
        }
        let path = folder.path(of: name)
        let ending: [UInt8]
        do throws(SystemCallError) {
            ending = try lastBytes(name, in: folder, count: superJournalMagic.count)
        } catch {
            // Another process has finished its change meanwhile.
            if error.code == ENOENT {
                return
            }
            throw error.keychainError("can't read '\(path)'")
        }
        guard ending != superJournalMagic else {
            throw KeychainError(
                .invalidKeychain, "the journal '\(path)' does not belong to a keychain",
                hint: "restore the keychain's folder from a backup")
        }
    }

    /// The end of a journal that names a super-journal.
    ///
    /// SQLite deletes that file, which can be any of the user's, when it has undone the change. It
    /// writes such journals only for transactions over several files, and a keychain has one.
    /// SQLite's file format, section 3.
    private static let superJournalMagic: [UInt8] = [
        0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7,
    ]

    /// Returns a file's last bytes, or all of a shorter file.
    private static func lastBytes(
        _ name: String, in folder: borrowing PinnedFolder, count: Int
    ) throws(SystemCallError) -> [UInt8] {
        let descriptor = try SystemCalls.open(
            name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, in: folder.number)
        defer { SystemCalls.close(descriptor) }
        let size = Int(try SystemCalls.fstat(descriptor).st_size)
        return try SystemCalls.read(descriptor, count, at: max(0, size - count))
    }
}
