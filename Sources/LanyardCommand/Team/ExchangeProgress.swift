internal import KeychainServices
internal import KeychainSync
internal import LinuxSystem
internal import Prompting
internal import SyncEngine

/// The bars of an exchange: one for each of its parts.
private final class ExchangeProgress {
    private var phase: SyncPhase?
    private var bar: ProgressBar?

    /// The seconds after which a server that does not move ends the process; nil for never.
    private let patience: UInt32?
    private var shown = 0

    init(patience: UInt32?) {
        self.patience = patience
    }

    func show(_ phase: SyncPhase, _ done: Int, of total: Int) {
        shown += 1
        if let patience, phase != self.phase || shown % 100 == 0 {
            SystemCalls.endSilently(afterSeconds: patience, isFailure: true)
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
    /// - Parameter limit: When it gives the server nothing more, and the seconds after which a server that does not move
    ///   ends the process.
    /// - Throws: As ``exchange()``.
    func exchangeShowingProgress(
        limit: (end: Deadline, patience: UInt32)? = nil
    ) throws(KeychainError) -> SyncReport {
        let bars = ExchangeProgress(patience: limit?.patience)
        deadline = limit?.end
        progress = { bars.show($0, $1, of: $2) }
        defer {
            bars.end()
            progress = { _, _, _ in }
        }
        return try exchange()
    }
}
