internal import KeychainServices
internal import KeychainSync
internal import Prompting
internal import SyncEngine

/// The bars of an exchange: one for each of its parts.
private final class ExchangeProgress {
    private var phase: SyncPhase?
    private var bar: ProgressBar?

    func show(_ phase: SyncPhase, _ done: Int, of total: Int) {
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
    /// - Throws: As ``exchange()``.
    func exchangeShowingProgress() throws(KeychainError) -> SyncReport {
        let bars = ExchangeProgress()
        progress = { bars.show($0, $1, of: $2) }
        defer {
            bars.end()
            progress = { _, _, _ in }
        }
        return try exchange()
    }
}
