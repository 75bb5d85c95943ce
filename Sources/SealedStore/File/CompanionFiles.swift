internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// The files that SQLite looks for beside the keychain's by itself, and believes. They are checked
/// before it sees them, as they may be as hostile as the keychain.
enum CompanionFiles {
    /// Throws unless beside a keychain there is at most a journal, and it is one of ours.
    static func check(
        of file: String, in folder: borrowing PinnedFolder
    ) throws(KeychainError) {
        try checkJournal("\(file)-journal", in: folder)
        // It would be read also where the file is in no WAL mode, and written to from then on.
        let log = "\(file)-wal"
        guard try folder.status(of: log) == nil else {
            let path = folder.path(of: log)
            throw KeychainError(
                .invalidKeychain, "'\(path)' does not belong to a keychain",
                hint: "rm \(PrivatePlace.quoted(path))")
        }
    }

    private static func checkJournal(
        _ name: String, in folder: borrowing PinnedFolder
    ) throws(KeychainError) {
        do throws(KeychainError) {
            // SQLite would wait for a FIFO's other end.
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
            // Another process has ended its change meanwhile.
            if error.code == ENOENT {
                return
            }
            throw error.keychainError("can't read '\(path)'")
        }
        guard ending != superJournalMagic else {
            throw KeychainError(
                .invalidKeychain, "the journal '\(path)' is not one of a keychain",
                hint: "put the keychain's folder back from a backup")
        }
    }

    /// What a journal ends with that names a super-journal. SQLite deletes that one, which can be
    /// any file of the user's, when it has undone the change. It writes such journals only for
    /// transactions over several files, and a keychain is one. SQLite's file format, section 3.
    private static let superJournalMagic: [UInt8] = [
        0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7,
    ]

    /// A file's last bytes; fewer if it has fewer.
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
