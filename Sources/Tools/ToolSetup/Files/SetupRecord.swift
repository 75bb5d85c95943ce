internal import LanyardCryptography
internal import KeychainServices

/// The changes that a tool's setup made to files. It is written before the first change, which allows undoing a
/// setup that was killed midway.
struct SetupRecord: Sendable {
    /// The changes of one file.
    struct Entry: Hashable, Sendable {
        /// The file's path, as the tool names it.
        let path: String
        /// The digest of the bytes before, nil if the file did not exist.
        let before: String?
        /// The digest of the bytes that the setup left.
        let after: String
        let insertion: Insertion
        /// The folders that it created for the file, outermost first.
        let folders: [String]
    }

    /// The files, in the order of their changes.
    var entries: [Entry]

    /// Returns the entry of a file, if any.
    func entry(_ path: String) -> Entry? {
        entries.first { $0.path == path }
    }

    /// Returns this record with newer entries.
    func updated(with newer: [Entry]) -> SetupRecord {
        let paths = Set(newer.map(\.path))
        return SetupRecord(entries: entries.filter { !paths.contains($0.path) } + newer)
    }

    /// Returns a name that identifies bytes.
    static func digest(_ bytes: FileBytes) -> String {
        bytes.withBytes { Hexadecimal.encode(KeyedDigest.plain($0)) }
    }
}

extension SetupRecord.Entry {
    /// Returns the file's bytes after undoing the setup, nil to remove it.
    ///
    /// - Parameters:
    ///   - current: Its bytes now, nil if it does not exist.
    ///   - original: Its bytes before the setup, nil if it did not exist.
    func undone(_ current: FileBytes?, original: FileBytes?) throws(KeychainError) -> FileBytes? {
        // A file that the user has removed contains nothing of ours.
        guard let current, current != original else {
            return current
        }
        if SetupRecord.digest(current) == after {
            return original
        }
        let rest = try insertion.removed(from: current, original: original, path: path)
        return original == nil && insertion.isNothing(rest, path: path) ? nil : rest
    }
}
