internal import KeychainServices

/// Remembers for a minute that the Secret Service is gone: a bus that hangs then delays one call and not
/// all of them.
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
    func failure(now: Timestamp) -> KeychainError? {
        guard let text = note.text(now: now) else {
            return nil
        }
        let lines = text.split(separator: "\n", maxSplits: 1)
        guard lines.count == 2, let code = Int32(lines[0]) else {
            return nil
        }
        return KeychainError(Status(rawValue: code), String(lines[1]))
    }

    /// Remembers the error, except one that may pass at any moment, such as a locked or busy service.
    func rememberIfGone(_ failure: KeychainError) {
        if failure.status == .notAvailable || failure.status == .noSuchKeychain
            || failure.isOfLanyardItself
        {
            note.write("\(failure.status.rawValue)\n\(failure.reason)")
        }
    }

    /// Forgets the error, and the next call tries again.
    func forget() {
        note.remove()
    }
}
