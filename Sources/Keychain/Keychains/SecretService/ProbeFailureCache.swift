internal import KeychainServices
internal import LinuxSystem

/// Remembers for a minute that the Secret Service is gone: a bus that hangs then delays one call and not
/// all of them. One that failed at once counts until a program is the Secret Service again.
struct ProbeFailureCache {
    private let note: RuntimeNote

    /// Creates a cache for one collection on one bus; nil without a private runtime folder.
    init?(bus: String, collection: String) {
        guard let note = RuntimeNote(ProbeFailureCache.name(bus, collection)) else {
            return nil
        }
        self.note = note
    }

    /// Creates a cache in a private runtime folder.
    init(in runtime: String, bus: String, collection: String) {
        note = RuntimeNote(ProbeFailureCache.name(bus, collection), in: runtime)
    }

    private static func name(_ bus: String, _ collection: String) -> String {
        "secret-service-\(RuntimeNote.digest("\(bus)\n\(collection)")).failed"
    }

    /// Returns the error of the last minute; nil if there was none or nothing was tried.
    ///
    /// - Parameter isBack: Whether a program is the Secret Service now. It is asked only after an error that came at
    ///   once, because another one would hang again.
    func failure(now: Timestamp, isBack: () -> Bool) -> KeychainError? {
        guard let text = note.text(now: now) else {
            return nil
        }
        let lines = text.split(separator: "\n", maxSplits: 1)
        let words = lines.first?.split(separator: " ") ?? []
        guard lines.count == 2, let code = words.first.flatMap({ Int32($0) }) else {
            return nil
        }
        let failure = KeychainError(Status(rawValue: code), String(lines[1]))
        let canBeBack = words.last == ProbeFailureCache.atOnce && failure.status == .notAvailable
        return canBeBack && isBack() ? nil : failure
    }

    /// Marks an error that came at once.
    private static let atOnce: Substring = "at-once"
    /// An error after fewer milliseconds came at once.
    private static let moment: Int64 = 500

    /// Remembers the error, except one that may pass at any moment, such as a locked or busy service.
    ///
    /// - Parameter start: When the call began, in milliseconds of ``SystemCalls/monotonicMilliseconds()``.
    func rememberIfGone(_ failure: KeychainError, since start: Int64) {
        if failure.status == .notAvailable || failure.status == .noSuchKeychain
            || failure.isOfLanyardItself
        {
            let isAtOnce =
                SystemCalls.monotonicMilliseconds() - start < ProbeFailureCache.moment
            let mark = isAtOnce ? " \(ProbeFailureCache.atOnce)" : ""
            note.write("\(failure.status.rawValue)\(mark)\n\(failure.reason)")
        }
    }

    /// Forgets the error, and the next call tries again.
    func forget() {
        note.remove()
    }
}
