internal import KeychainServices

/// What is remembered of a Secret Service that is gone: for a minute nobody tries again, so that a bus that
/// hangs holds up one call and not each.
struct ProbeFailureCache {
    private let note: RuntimeNote

    /// Of one collection on one bus; nil where there is no runtime folder that is ours alone.
    init?(bus: String, collection: String) {
        guard let note = RuntimeNote(ProbeFailureCache.name(bus, collection)) else {
            return nil
        }
        self.note = note
    }

    /// In a runtime folder that is ours alone.
    init(in runtime: String, bus: String, collection: String) {
        note = RuntimeNote(ProbeFailureCache.name(bus, collection), in: runtime)
    }

    private static func name(_ bus: String, _ collection: String) -> String {
        "secret-service-\(RuntimeNote.digest("\(bus)\n\(collection)")).failed"
    }

    /// Why it could not be used less than a minute ago, nil if it could or nobody has tried.
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

    /// Remembers why it can't be used now, unless it is there and that may end at any moment, as when it is
    /// locked or busy.
    func rememberIfGone(_ failure: KeychainError) {
        if failure.status == .notAvailable || failure.status == .noSuchKeychain {
            note.write("\(failure.status.rawValue)\n\(failure.reason)")
        }
    }

    /// Lets the next one try.
    func forget() {
        note.remove()
    }
}
