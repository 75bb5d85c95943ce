internal import KeychainServices
internal import LinuxSystem
internal import SealedStore

/// A sealed keychain whose changes are watched.
struct WatchedKeychain {
    let name: String
    private var snapshot: KeychainSnapshot
    private var isLocked: Bool?
    private var failure = LastingFailure()

    /// - Parameter location: Its present items cause no events.
    init(_ name: String, at location: KeychainLocation) {
        self.name = name
        snapshot = KeychainSnapshot(of: location)
        let present = snapshot.update()
        isLocked = present.isLocked
        _ = failure.take(present.failure)
    }

    /// Its place, which the configuration may change.
    var location: KeychainLocation {
        get { snapshot.location }
        set { snapshot.location = newValue }
    }

    /// Whether a failure needs another look soon, before it is reported.
    var needsAnotherLook: Bool { failure.isNew }

    /// Returns what has happened since the last look.
    ///
    /// - Parameter accessGroups: The groups whose items count.
    mutating func look(_ accessGroups: AccessGroups) -> [KeychainEvent] {
        let difference = snapshot.update()
        var events = difference.changes.compactMap { event(for: $0, accessGroups) }
        if let isLocked = difference.isLocked {
            if isLocked != self.isLocked ?? isLocked {
                events.append(KeychainEvent(isLocked ? .locked : .unlocked, keychain: name))
            }
            self.isLocked = isLocked
        }
        if let error = failure.take(difference.failure) {
            events.append(KeychainEvent(.unreadable, keychain: name, error: error))
        }
        return events
    }

    /// Returns the event for a change, nil if it concerns other groups. An item that moves to another group
    /// was deleted for the one, and added for the other.
    private func event(
        for change: KeychainSnapshot.Change, _ accessGroups: AccessGroups
    ) -> KeychainEvent? {
        func visible(_ attributes: ItemAttributes?) -> ItemAttributes? {
            attributes.flatMap { attributes in
                accessGroups.contains(attributes.accessGroup ?? "") ? attributes : nil
            }
        }
        let kind: KeychainEvent.Kind
        switch (visible(change.before), visible(change.after)) {
        case (nil, nil): return nil
        case (nil, _): kind = .added
        case (_, nil): kind = .deleted
        default: kind = .updated
        }
        return KeychainEvent(
            kind, keychain: name, item: change.reference,
            attributes: visible(change.after) ?? visible(change.before))
    }
}

/// A failure that is reported once, and only if it lasts: a file that is being replaced is missing for a
/// moment.
struct LastingFailure {
    private var status: Status?
    private var start: Int64 = 0
    private var isReported = false

    /// In milliseconds.
    private static let patience: Int64 = 300
    /// In milliseconds; a long import keeps a keychain busy.
    private static let patienceWhileBusy: Int64 = 10_000

    /// Whether there is one that is not reported yet.
    var isNew: Bool { status != nil && !isReported }

    /// Records how a look ended.
    ///
    /// - Returns: The error to report now.
    mutating func take(_ error: KeychainError?) -> KeychainError? {
        let now = SystemCalls.monotonicMilliseconds()
        guard let error else {
            status = nil
            return nil
        }
        if error.status != status {
            status = error.status
            start = now
            isReported = false
        }
        let patience =
            error.status == .databaseLocked
            ? LastingFailure.patienceWhileBusy : LastingFailure.patience
        guard !isReported, now - start >= patience else {
            return nil
        }
        isReported = true
        return error
    }
}
