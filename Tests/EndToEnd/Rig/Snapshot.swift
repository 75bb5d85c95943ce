import Foundation
import Glibc

/// Everything below a folder at one moment.
struct Snapshot {
    struct Entry: Equatable {
        let mode: mode_t
        let owner: uid_t
        let inode: ino_t
        fileprivate(set) var changedSeconds: Int
        fileprivate(set) var changedNanoseconds: Int
        /// nil for all but regular files.
        let bytes: [UInt8]?

        var permissions: mode_t { mode & 0o7777 }
        var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    }

    /// By path below the folder, which itself is "".
    private(set) var entries: [String: Entry] = [:]

    init(_ folder: String) throws {
        try add(folder, "")
    }

    /// Only what is in the files: times and folders don't count, nor does what is no file.
    var contents: [String: [UInt8]] {
        entries.compactMapValues(\.bytes)
    }

    /// The paths that differ between two moments; a message with all the bytes says less.
    ///
    /// - Parameter folder: One whose time may differ, because a file was made there and is gone again.
    func differences(from other: Snapshot, exceptTimeOf folder: String? = nil) -> [String] {
        Set(entries.keys).union(other.entries.keys).sorted().filter { name in
            guard let entry = entries[name], var earlier = other.entries[name] else {
                return true
            }
            if name == folder {
                earlier.changedSeconds = entry.changedSeconds
                earlier.changedNanoseconds = entry.changedNanoseconds
            }
            return entry != earlier
        }
    }

    /// The files whose bytes differ, or that are there only once.
    func contentDifferences(from other: Snapshot) -> [String] {
        let contents = (self.contents, other.contents)
        return Set(contents.0.keys).union(contents.1.keys).sorted().filter {
            contents.0[$0] != contents.1[$0]
        }
    }

    private mutating func add(_ path: String, _ name: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            return
        }
        let kind = status.st_mode & S_IFMT
        entries[name] = Entry(
            mode: status.st_mode, owner: status.st_uid, inode: status.st_ino,
            changedSeconds: status.st_mtim.tv_sec, changedNanoseconds: status.st_mtim.tv_nsec,
            bytes: kind == S_IFREG ? Array(try Data(contentsOf: URL(filePath: path))) : nil)
        if kind == S_IFDIR {
            for child in try FileManager.default.contentsOfDirectory(atPath: path) {
                try add("\(path)/\(child)", name.isEmpty ? child : "\(name)/\(child)")
            }
        }
    }
}
