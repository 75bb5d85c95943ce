internal import Glibc
internal import LinuxSystem
internal import PlainTextScan
internal import LanyardPrompting
internal import KeychainServices

/// Shows at the terminal how far a scan is. ^C stops the scan there, and not the report of its findings.
final class ScanProgress {
    /// The status of a scan that ^C has stopped, as shells show it.
    static let stoppedStatus = 128 + SIGINT

    private let bar = ProgressBar("searching")
    private let stop: StopSignals?

    /// - Parameter isShown: Whether the output is for users.
    init(isShown: Bool) throws(KeychainError) {
        stop = isShown && isatty(2) == 1 ? try StopSignals() : nil
    }

    /// Shows the counts.
    ///
    /// - Returns: false once the scan has to stop.
    func goesOn(_ counts: ScanCounts) -> Bool {
        switch stop {
        case .some(let stop):
            bar.show("\(counts.files) files, \(counts.bytes / 1_000_000) MB")
            return stop.next() == nil
        case .none: return true
        }
    }

    /// Erases what it has shown.
    func end() {
        bar.end()
    }
}
