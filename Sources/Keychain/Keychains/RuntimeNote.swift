internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem

/// A short text that is remembered for a minute, in a file of the user's runtime folder or of another private one.
struct RuntimeNote {
    /// In seconds.
    static let lifetime: Int64 = 60
    private static let limit = 4096

    private let folder: String
    private let file: String

    /// Creates a note with this name; nil without a private runtime folder.
    init?(_ name: String) {
        guard let runtime = try? Environment.value("XDG_RUNTIME_DIR"), runtime.hasPrefix("/"),
            (try? PrivatePlace.checkFolder(runtime)) != nil
        else {
            return nil
        }
        self.init(name, in: runtime)
    }

    /// Creates a note in a private runtime folder.
    init(_ name: String, in runtime: String) {
        self.init(name, folder: "\(runtime)/lanyard")
    }

    /// Creates a note in a folder of Lanyard's own.
    init(_ name: String, folder: String) {
        self.folder = folder
        file = "\(folder)/\(name)"
    }

    /// Returns the text that was written less than a minute ago, if any.
    func text(now: Timestamp) -> String? {
        guard (try? PrivatePlace.checkFolder(folder)) != nil,
            let date = try? SystemCalls.modificationDate(at: file),
            // The file's clock can be a moment ahead of the one that counts seconds.
            let age = now.seconds(since: date), (-1..<RuntimeNote.lifetime).contains(age),
            let text = try? PrivatePlace.read(file, limit: RuntimeNote.limit)
        else {
            return nil
        }
        return text.withBytes { ByteString(copying: $0).description }
    }

    /// Writes another text, and ignores failures. It does not wait for the disk: no note counts after a minute.
    func write(_ text: String) {
        try? PrivatePlace.makeFolder(folder)
        try? PrivatePlace.replaceFile(
            file, Array(text.utf8.prefix(RuntimeNote.limit)).span, syncsFile: false,
            syncsFolder: false)
    }

    /// Removes the text.
    func remove() {
        try? SystemCalls.unlink(file)
    }

    /// Returns FNV-1a with 64 bits: a short name for a text, not a secret.
    static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return Hexadecimal.encode((0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) })
    }
}

extension Timestamp {
    fileprivate func seconds(since other: Timestamp) -> Int64? {
        let (seconds, isTooLarge) = secondsSinceEpoch.subtractingReportingOverflow(
            other.secondsSinceEpoch)
        return isTooLarge ? nil : seconds
    }
}
