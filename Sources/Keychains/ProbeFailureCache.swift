internal import Configuration
internal import KeychainServices
internal import LinuxSystem

/// What is remembered of a Secret Service that is gone: for a minute nobody tries again, so that a bus that
/// hangs holds up one call and not each. It lies in the user's runtime folder.
struct ProbeFailureCache {
    /// For how many seconds.
    static let lifetime: Int64 = 60
    private static let limit = 4096

    private let folder: String
    private let file: String

    /// Of one collection on one bus; nil where there is no runtime folder that is ours alone.
    init?(bus: String, collection: String) {
        guard let runtime = try? Environment.value("XDG_RUNTIME_DIR"), runtime.hasPrefix("/"),
            (try? PrivatePlace.checkFolder(runtime)) != nil
        else {
            return nil
        }
        self.init(in: runtime, bus: bus, collection: collection)
    }

    /// In a runtime folder that is ours alone.
    init(in runtime: String, bus: String, collection: String) {
        folder = "\(runtime)/lanyard"
        let digest = ProbeFailureCache.digest("\(bus)\n\(collection)")
        file = "\(folder)/secret-service-\(digest).failed"
    }

    /// Why it could not be used less than a minute ago, nil if it could or nobody has tried.
    func failure(now: Timestamp) -> KeychainError? {
        guard (try? PrivatePlace.checkFolder(folder)) != nil,
            let date = try? SystemCalls.modificationDate(at: file),
            let age = now.seconds(since: date), (0..<ProbeFailureCache.lifetime).contains(age),
            let text = try? PrivatePlace.read(file, limit: ProbeFailureCache.limit)
        else {
            return nil
        }
        let lines = text.withBytes { ByteString(copying: $0).description }
            .split(separator: "\n", maxSplits: 1)
        guard lines.count == 2, let code = Int32(lines[0]) else {
            return nil
        }
        return KeychainError(Status(rawValue: code), String(lines[1]))
    }

    /// Remembers why it can't be used now, unless it is there and that may end at any moment, as when it is
    /// locked or busy. That this can't be kept is no reason to fail.
    func rememberIfGone(_ failure: KeychainError) {
        guard failure.status == .notAvailable || failure.status == .noSuchKeychain else {
            return
        }
        let text = "\(failure.status.rawValue)\n\(failure.reason)"
        try? PrivatePlace.makeFolder(folder)
        try? PrivatePlace.replaceFile(file, Array(text.utf8.prefix(ProbeFailureCache.limit)).span)
    }

    /// Lets the next one try.
    func forget() {
        try? SystemCalls.unlink(file)
    }

    /// FNV-1a with 64 bits: a name for a file, not a secret.
    private static func digest(_ text: String) -> String {
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
