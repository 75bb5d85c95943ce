import Foundation
import Glibc
import Testing

/// A terminal, of which a test holds the user's end.
final class TestTerminal: Sendable {
    /// The path by which programs open it.
    let path: String
    private let master: Int32
    /// Kept open: the terminal outlives those who use it.
    private let slave: Int32

    init() throws {
        var ends: (person: Int32, programs: Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&ends.person, &ends.programs, nil, nil, &size) == 0)
        (master, slave) = ends
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        path = try #require(ttyname(slave).map { String(cString: $0) })
    }

    deinit {
        close(slave)
        close(master)
    }

    /// Whether what is typed is shown, and in lines, as outside a prompt.
    var isAsBefore: Bool {
        var settings = termios()
        let wanted = tcflag_t(ECHO | ICANON | ISIG)
        return tcgetattr(slave, &settings) == 0 && settings.c_lflag & wanted == wanted
    }

    fileprivate var echoes: Bool {
        var settings = termios()
        return tcgetattr(slave, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    fileprivate func type(_ keys: String) -> Bool {
        write(master, keys, keys.utf8.count) == keys.utf8.count
    }

    /// What was shown since the last look.
    func read() -> String {
        // The kernel passes on later what programs have written, and this byte after it.
        var mark: UInt8 = 4
        _ = write(slave, &mark, 1)
        var bytes: [UInt8] = []
        // A program may drop output that was not read, and the mark with it.
        for _ in 0..<5000 where !bytes.contains(mark) {
            var part = [UInt8](repeating: 0, count: 65536)
            let count = Glibc.read(master, &part, part.count)
            bytes += part.prefix(max(count, 0))
            usleep(1000)
        }
        return String(decoding: bytes.filter { $0 != mark }, as: UTF8.self)
    }
}

/// Who sits at a terminal and answers, in a thread of its own: exit tests occupy those of tasks.
final class Person: @unchecked Sendable {
    private let terminal: TestTerminal
    private let isDone = DispatchSemaphore(value: 0)
    /// All that was shown up to the answer.
    private var seen = ""
    private var hasTyped = false

    /// - Parameters:
    ///   - prompt: What has to be shown.
    ///   - echoes: Whether the echo has to be on then.
    init(at terminal: TestTerminal, asked prompt: String, echoes: Bool = false, types keys: String)
    {
        self.terminal = terminal
        Thread.detachNewThread { [self] in
            // The program may start late: other tests have their turn first.
            let end = ContinuousClock.now + .seconds(120)
            while !hasTyped, ContinuousClock.now < end {
                seen += terminal.read()
                if seen.contains(prompt), terminal.echoes == echoes {
                    // A program may set the terminal once more, and drop what was typed before.
                    usleep(100_000)
                    hasTyped = terminal.type(keys)
                }
                usleep(10_000)
            }
            isDone.signal()
        }
    }

    /// Waits for the answer, and a record of what is shown till now.
    func shown() throws -> String {
        isDone.wait()
        let shown = seen + terminal.read()
        try #require(hasTyped, "not asked: \(shown.debugDescription)")
        return shown
    }
}
