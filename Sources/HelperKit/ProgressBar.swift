internal import Glibc
internal import LinuxSystem

/// Shows at the terminal how far something has come, if it takes longer than a moment.
public final class ProgressBar {
    private let title: String
    private let isAtTerminal: Bool
    private let start = SystemCalls.monotonicMilliseconds()
    private var shownAt: Int64 = 0
    private var isShown = false

    private static let width = 30

    /// - Parameter title: What is being done, in a word.
    public init(_ title: String) {
        self.title = title
        isAtTerminal = isatty(2) == 1
    }

    /// Shows that so much of all is done.
    public func show(_ done: Int, of total: Int) {
        let now = SystemCalls.monotonicMilliseconds()
        guard isAtTerminal, now - start > 300, now - shownAt > 100 || done == total, total > 0
        else {
            return
        }
        shownAt = now
        isShown = true
        let filled = done * ProgressBar.width / total
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: "-", count: ProgressBar.width - filled)
        write("\r\(title) [\(bar)] \(done) of \(total)")
    }

    /// Takes the bar away.
    public func end() {
        if isShown {
            write("\r\u{1B}[K")
        }
    }

    private func write(_ text: String) {
        try? SystemCalls.writeAll(2, Array(text.utf8).span)
    }
}
