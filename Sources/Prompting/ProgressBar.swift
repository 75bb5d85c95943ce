internal import Configuration
internal import Glibc
internal import LinuxSystem

/// Shows at the terminal how far something has come, if it takes longer than a moment. It keeps to one line
/// of the window, as wide as that is now.
public final class ProgressBar {
    private let title: String
    private let isAtTerminal: Bool
    private let start = SystemCalls.monotonicMilliseconds()
    private var shownAt: Int64 = 0
    private var isShown = false

    private static let longestBar = 30
    private static let shortestBar = 5
    /// Where a window does not tell its width.
    private static let usualColumns = 80

    /// - Parameter title: What is being done, in a word.
    public init(_ title: String) {
        self.title = title
        isAtTerminal = isatty(2) == 1 && ProgressBar.canEraseLines
    }

    /// Shows that so much of all is done.
    public func show(_ done: Int, of total: Int) {
        guard isAtTerminal, total > 0 else {
            return
        }
        let now = SystemCalls.monotonicMilliseconds()
        guard now - start > 300, now - shownAt > 100 || done == total else {
            return
        }
        shownAt = now
        isShown = true
        let columns = SystemCalls.columns(ofTerminal: 2) ?? ProgressBar.usualColumns
        let line = ProgressBar.line(title, done, of: total, columns: columns)
        write("\r\(line)\u{1B}[K")
    }

    /// Takes the bar away.
    public func end() {
        if isShown {
            isShown = false
            write("\r\u{1B}[K")
        }
    }

    /// As much of it as there is room for: less than all columns, since at the last one some terminals begin
    /// a new line. Its parts stay where they are while the numbers grow.
    static func line(_ title: String, _ done: Int, of total: Int, columns: Int) -> String {
        let room = columns - 1
        let count = "\(done) of \(total)"
        let widest = "\(total) of \(total)".utf8.count
        let length = min(longestBar, room - title.utf8.count - widest - 4)
        if length >= shortestBar {
            let filled = length * done / total
            let bar =
                String(repeating: "#", count: filled)
                + String(repeating: "-", count: length - filled)
            return "\(title) [\(bar)] \(count)"
        }
        if title.utf8.count + 1 + widest <= room {
            return "\(title) \(count)"
        }
        if widest <= room {
            return count
        }
        return room >= 4 ? "\(100 * done / total)%" : ""
    }

    /// Not every terminal knows how.
    private static var canEraseLines: Bool {
        let terminal = (try? Environment.value("TERM")) ?? nil
        return terminal.map { $0 != "dumb" } ?? false
    }

    private func write(_ text: String) {
        try? SystemCalls.writeAll(2, Array(text.utf8).span)
    }
}
