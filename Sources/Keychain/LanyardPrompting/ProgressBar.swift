internal import LanyardConfiguration
internal import Glibc
internal import LinuxSystem

/// Shows progress at the terminal if the work takes more than a moment. It fits one line of the window at
/// its current width.
public final class ProgressBar {
    private let title: String
    private let isAtTerminal: Bool
    private let start = SystemCalls.monotonicMilliseconds()
    private var shownAt: Int64 = 0
    private var isShown = false

    private static let longestBar = 30
    private static let shortestBar = 5
    /// For windows that don't report their width.
    private static let usualColumns = 80

    /// - Parameter title: The task in a word.
    public init(_ title: String) {
        self.title = title
        isAtTerminal = isatty(2) == 1 && ProgressBar.canEraseLines
    }

    /// Shows how much of the total is done.
    public func show(_ done: Int, of total: Int) {
        if total > 0 {
            show(atEnd: done == total) { ProgressBar.line(title, done, of: total, columns: $0) }
        }
    }

    /// Shows how much is done of work whose total is unknown.
    ///
    /// - Parameter done: A text in ASCII.
    public func show(_ done: String) {
        show(atEnd: false) { String("\(title): \(done)".prefix($0 - 1)) }
    }

    private func show(atEnd: Bool, _ line: (_ columns: Int) -> String) {
        guard isAtTerminal else {
            return
        }
        let now = SystemCalls.monotonicMilliseconds()
        guard now - start > 300, now - shownAt > 100 || atEnd else {
            return
        }
        shownAt = now
        isShown = true
        let columns = SystemCalls.columns(ofTerminal: 2) ?? ProgressBar.usualColumns
        write("\r\(line(columns))\u{1B}[K")
    }

    /// Erases the bar.
    public func end() {
        if isShown {
            isShown = false
            write("\r\u{1B}[K")
        }
    }

    /// Returns as much of the bar as fits. The last column stays empty, because some terminals start a new
    /// line there; its parts don't move while the numbers grow.
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

    /// Whether the terminal can erase lines; not every one can.
    private static var canEraseLines: Bool {
        let terminal = (try? Environment.value("TERM")) ?? nil
        return terminal.map { $0 != "dumb" } ?? false
    }

    private func write(_ text: String) {
        try? SystemCalls.writeAll(2, Array(text.utf8).span)
    }
}
