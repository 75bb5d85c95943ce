/// A part of an exchange, by the word for its progress.
package enum SyncPhase: String, Sendable {
    case reading, receiving, sending, storing
}

/// Called with how much of a part is done; the total is 0 if it is unknown.
package typealias SyncProgress = (_ phase: SyncPhase, _ done: Int, _ total: Int) -> Void
