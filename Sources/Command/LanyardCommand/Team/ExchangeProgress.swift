internal import KeychainServices
internal import KeychainSync
internal import LinuxSystem
internal import LanyardPrompting
internal import SyncEngine

/// The bars of an exchange: one for each of its parts.
private final class ExchangeProgress {
    private var phase: SyncPhase?
    private var bar: ProgressBar?

    /// The seconds in which the server has to answer first; nil for its own time limits.
    private let limit: UInt32?
    private var shown = 0

    init(limit: UInt32?) {
        self.limit = limit
    }

    func show(_ phase: SyncPhase, _ done: Int, of total: Int) {
        shown += 1
        if let limit, phase != self.phase || shown % 100 == 0 {
            // A server that answers gets the time for a piece, else no exchange would ever end.
            let more: UInt32 = phase == .reading ? 0 : 60
            SystemCalls.endSilently(
                afterSeconds: limit > .max - more ? .max : limit + more, isFailure: true)
        }
        if phase != self.phase {
            end()
            self.phase = phase
            bar = ProgressBar(phase.rawValue)
        }
        if total > 0 {
            bar?.show(done, of: total)
        } else {
            bar?.show("\(done) items")
        }
    }

    func end() {
        bar?.end()
        (phase, bar) = (nil, nil)
    }
}

extension SharedKeychain {
    /// Exchanges the keychain's items with the server, and shows progress at a terminal.
    ///
    /// - Parameter limit: When it gives the server nothing more, and the seconds after which one that does not answer ends the
    ///   process.
    /// - Throws: As ``exchange()``.
    func exchangeShowingProgress(
        limit: (end: Deadline, seconds: UInt32)? = nil
    ) throws(KeychainError) -> SyncReport {
        let bars = ExchangeProgress(limit: limit?.seconds)
        deadline = limit?.end
        progress = { bars.show($0, $1, of: $2) }
        defer {
            bars.end()
            progress = { _, _, _ in }
        }
        return try exchange()
    }
}
