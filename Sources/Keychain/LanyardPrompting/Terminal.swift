internal import LanyardConfiguration
internal import Glibc
public import KeychainServices
internal import LinuxSystem

/// Asks the user for a secret, at the terminal and never on the standard streams. The terminal does not
/// show the input, and ^C leaves its settings intact.
///
/// - Parameters:
///   - prompt: Ends with a space.
///   - hint: What to do if the user can't be asked, or if a terminal line is too short.
/// - Throws: ``Status/interactionNotAllowed`` without a terminal, in the background, and if
///   LANYARD_NO_PROMPT is set, ``Status/userCanceled``, ``Status/dataTooLarge``, ``Status/param`` for
///   several lines, ``Status/io``.
public func askForSecret(prompt: String, hint: String) throws(KeychainError) -> Secret {
    let terminal = try Terminal(hint: hint)
    return try terminal.readLine(prompt: prompt, echo: false)
}

/// Whether the user can be asked at a terminal.
public func canAskAtTerminal() -> Bool {
    (try? Terminal.checkAskingIsAllowed(hint: "")) != nil && ControllingTerminal.isUsable
}

/// The terminal, if Lanyard may ask there.
struct Terminal: ~Copyable {
    /// Limits a line's length: N_TTY_BUF_SIZE, less the newline. The kernel cuts longer lines without a
    /// sign, which makes a line of this length suspect.
    private static let lineLimit = 4095

    private let terminal: ControllingTerminal
    private let hint: String

    private var descriptor: Int32 { terminal.descriptor }

    init(hint: String) throws(KeychainError) {
        try Terminal.checkAskingIsAllowed(hint: hint)
        guard let terminal = ControllingTerminal() else {
            throw KeychainError(
                .interactionNotAllowed, "there is no terminal to prompt at", hint: hint)
        }
        self.terminal = terminal
        self.hint = hint
    }

    /// Throws if LANYARD_NO_PROMPT is set.
    static func checkAskingIsAllowed(hint: String) throws(KeychainError) {
        guard try Environment.value("LANYARD_NO_PROMPT") == nil else {
            throw KeychainError(
                .interactionNotAllowed, "LANYARD_NO_PROMPT forbids prompts", hint: hint)
        }
    }

    /// Reads a line without its end.
    ///
    /// - Parameter timeLimit: How many milliseconds the user has; nil for no limit.
    borrowing func readLine(
        prompt: String, echo: Bool, timeLimit: Int64? = nil
    ) throws(KeychainError) -> Secret {
        guard let before = terminal.settings else {
            throw KeychainError(.io, "the terminal does not answer")
        }
        // From here on, no signal ends the process with changed settings.
        let signals = try EndingSignals()
        let asking = before.forLines(echo: echo)
        terminal.set(asking)
        // Input after the line must not reach the shell: it may be the rest of the secret.
        defer {
            terminal.set(before)
            signals.restore()
        }
        let question = harmless(prompt)
        write(terminalColumns(descriptor).map { question.wrapped(to: $0) } ?? question)
        do throws(KeychainError) {
            let line = try read(signals, until: timeLimit.map { Deadline(milliseconds: $0) })
            if !echo {
                try checkNothingFollows(asking)
                write("\n")
            }
            return line
        } catch {
            // Otherwise the message would follow the prompt on its line.
            write("\n")
            throw error
        }
    }

    borrowing func writeError(_ reason: String) {
        write(errorLine(reason, columns: terminalColumns(descriptor)))
    }

    borrowing func write(_ text: String) {
        try? SystemCalls.writeAll(descriptor, Array(text.utf8).span)
    }

    private borrowing func read(
        _ signals: EndingSignals, until deadline: Deadline?
    ) throws(KeychainError) -> Secret {
        switch try signals.wait(for: descriptor, until: deadline) {
        case .input: break
        case .deadline: throw KeychainError.unanswered
        case .signal, .child: throw PassphraseQuestion.cancelled
        }
        let chunk: Secret
        do throws(SystemCallError) {
            chunk = try SystemCalls.readSecret(descriptor, Terminal.lineLimit + 1)
        } catch {
            // The terminal is gone.
            throw PassphraseQuestion.cancelled
        }
        return try chunk.withBytes { bytes throws(KeychainError) in
            // The end of input, possibly in the middle of a line.
            guard bytes.count > 0, bytes[bytes.count - 1] == UInt8(ascii: "\n") else {
                throw PassphraseQuestion.cancelled
            }
            guard bytes.count <= Terminal.lineLimit else {
                throw KeychainError(
                    .dataTooLarge, "the line is too long for a terminal", hint: hint)
            }
            return Secret(copying: bytes.extracting(first: bytes.count - 1)).locked()
        }
    }

    /// Throws if the user pasted several lines: Lanyard would take the first for all of it.
    private borrowing func checkNothingFollows(_ asking: termios) throws(KeychainError) {
        var asking = asking
        // This counts an incomplete line, too.
        asking.c_lflag &= ~tcflag_t(ICANON)
        // Safe: local variables that outlive the calls; `poll` gets the count of one entry.
        unsafe tcsetattr(descriptor, TCSANOW, &asking)
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&input, 1, 0) == 0 else {
            throw KeychainError(
                .param, "more than one line was typed: nothing was changed", hint: hint)
        }
    }
}

extension termios {
    /// The settings with which a user types a line, whatever a program has set that has the whole screen: Return ends
    /// it, ^C cancels it, and Backspace takes a whole character of UTF-8.
    fileprivate func forLines(echo: Bool) -> termios {
        var settings = self
        settings.c_iflag |= tcflag_t(ICRNL | IUTF8)
        settings.c_iflag &= ~tcflag_t(IGNCR | INLCR)
        settings.c_oflag |= tcflag_t(OPOST | ONLCR)
        settings.c_lflag |= tcflag_t(ICANON | ISIG)
        if echo {
            settings.c_lflag |= tcflag_t(ECHO | ECHOE)
        } else {
            settings.c_lflag &= ~tcflag_t(ECHO | ECHONL)
        }
        return settings
    }
}
