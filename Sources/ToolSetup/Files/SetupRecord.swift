internal import Cryptography
internal import KeychainServices
internal import LinuxSystem
internal import SealedStore

/// What a setup of a tool did to which files. It is written before the first of them is changed, so
/// that a setup that was killed in between can be undone.
struct SetupRecord: Sendable {
    /// What was done to one file.
    struct Entry: Hashable, Sendable {
        /// The file's path, as the tool names it.
        let path: String
        /// The digest of the bytes before, nil if there was no file.
        let before: String?
        /// The digest of the bytes that the setup left.
        let after: String
        /// What it put in.
        let insertion: Insertion
        /// The folders that it made for the file, the outermost first.
        let folders: [String]
    }

    /// The files, in the order in which they were changed.
    var entries: [Entry]

    /// What is known about a file, nil if nothing.
    func entry(_ path: String) -> Entry? {
        entries.first { $0.path == path }
    }

    /// This record with entries that are newer.
    func updated(with newer: [Entry]) -> SetupRecord {
        let paths = Set(newer.map(\.path))
        return SetupRecord(entries: entries.filter { !paths.contains($0.path) } + newer)
    }

    /// The name by which bytes are told from others.
    static func digest(_ bytes: [UInt8]) -> String {
        Hexadecimal.encode(KeyedDigest.plain(bytes.span))
    }
}

extension SetupRecord.Entry {
    /// The bytes that the file has when the setup is undone, nil for no file.
    ///
    /// - Parameters:
    ///   - current: Its bytes now, nil if there is none.
    ///   - original: Its bytes before the setup, nil if there was none.
    func undone(_ current: [UInt8]?, original: [UInt8]?) throws(KeychainError) -> [UInt8]? {
        // A file that somebody has removed holds nothing of ours.
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
