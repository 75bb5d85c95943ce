internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem

/// The program that GnuPG asks with, in a window or at the terminal.
enum Pinentry {
    /// Time limits in milliseconds.
    struct TimeLimits {
        /// Until it is ready to ask.
        var start: Int64 = 10_000
        /// Until the user has answered; longer than the limit that pinentry gets.
        var answer: Int64 = 90_000
        /// Until it has ended.
        var end: Int64 = 1_000
    }

    /// Asks the user.
    ///
    /// - Returns: The answer; nil without a pinentry, or if it can't ask.
    /// - Throws: ``Status/userCanceled`` if the user cancels, after the time limit, and for a signal;
    ///   ``Status/dataTooLarge``.
    static func ask(
        _ question: PassphraseQuestion, limits: TimeLimits = TimeLimits()
    ) throws(KeychainError) -> Secret? {
        if question.isShown {
            guard try !asksAtTerminal() else {
                return nil
            }
        }
        var lines: [(command: String, text: String)] = [
            ("SETDESC", question.description), ("SETPROMPT", question.label),
        ]
        if let error = question.error {
            lines.append(("SETERROR", error))
        }
        switch try ask("GETPIN", after: lines, limits) {
        case .ok(let answer): return answer
        case .error(let number): return try answerToError(number)
        case nil: return nil
        }
    }

    /// Asks the user to allow something.
    ///
    /// - Returns: Whether the user does; nil without a pinentry, or if it can't ask.
    static func confirm(_ text: String) throws(KeychainError) -> Bool? {
        let lines: [(command: String, text: String)] = [
            ("SETDESC", text), ("SETOK", "Allow"), ("SETCANCEL", "Deny"),
        ]
        switch try ask("CONFIRM", after: lines, TimeLimits()) {
        case .ok: return true
        // GPG_ERR_CANCELED, GPG_ERR_FULLY_CANCELED, GPG_ERR_NOT_CONFIRMED and GPG_ERR_TIMEOUT.
        case .error(let number): return [99, 198, 114, 62].contains(number & 0xFFFF) ? false : nil
        case nil: return nil
        }
    }

    /// Runs commands, the last of which asks.
    ///
    /// - Returns: The answer to the last one; nil without a pinentry, or if it can't ask.
    /// - Throws: ``Status/userCanceled`` for a signal; ``Status/dataTooLarge``.
    static func run(_ commands: [String]) throws(KeychainError) -> PinentryAnswer? {
        // Lanyard's own would ask itself.
        guard let question = commands.last, let path = try programPath("pinentry"),
            name(path) != Installation.helper
        else {
            return nil
        }
        let hasTerminal = commands.contains { $0.hasPrefix("OPTION ttyname=") }
        let hasDisplay = try Environment.hasDisplay
        guard hasTerminal || hasDisplay && !isForTerminals(path) else {
            return nil
        }
        return try talk(path, try PromptSession(), TimeLimits(), asking: question) {
            connection, deadline throws(AssuanConnection.Failure) in
            for command in ["SETTIMEOUT 60"] + commands.dropLast() {
                do throws(AssuanConnection.Failure) {
                    _ = try connection.send(line: command, until: deadline)
                } catch {
                    // Pinentry does not know the command or the option.
                    guard case .error = error else {
                        throw error
                    }
                }
            }
        }
    }

    /// Sends lines that describe a question, and asks it.
    private static func ask(
        _ command: String, after lines: [(command: String, text: String)], _ limits: TimeLimits
    ) throws(KeychainError) -> PinentryAnswer? {
        guard let path = try programPath("pinentry") else {
            return nil
        }
        let session = try PromptSession()
        let options = try options(session, path: path)
        guard !options.isEmpty else {
            return nil
        }
        return try talk(path, session, limits, asking: command) {
            connection, deadline throws(AssuanConnection.Failure) in
            try prepare(&connection, lines, options, until: deadline)
        }
    }

    /// Starts a pinentry, prepares it for a question, and asks.
    ///
    /// - Returns: nil if it can't ask.
    private static func talk(
        _ path: String, _ session: borrowing PromptSession, _ limits: TimeLimits,
        asking question: String,
        preparing prepare: (
            inout AssuanConnection, Deadline
        ) throws(AssuanConnection.Failure) -> Void
    ) throws(KeychainError) -> PinentryAnswer? {
        var connection: AssuanConnection
        do throws(SystemCallError) {
            connection = AssuanConnection(
                try ChildProcess(.pipes, signals: session.signals) {
                    input, output throws(SystemCallError) in
                    try SystemCalls.startProcess(path, [], input: input, output: output)
                })
        } catch {
            return nil
        }
        do throws(AssuanConnection.Failure) {
            let start = Deadline(milliseconds: limits.start)
            _ = try connection.readAnswer(until: start)
            try prepare(&connection, start)
        } catch {
            guard case .signal = error else {
                return nil
            }
            throw PassphraseQuestion.cancelled
        }
        do throws(AssuanConnection.Failure) {
            let answer = try connection.send(
                line: question, until: Deadline(milliseconds: limits.answer))
            connection.close(until: Deadline(milliseconds: limits.end))
            return .ok(answer)
        } catch {
            switch error {
            case .signal: throw PassphraseQuestion.cancelled
            // As pinentry itself after its own limit.
            case .deadline: return .error(timeout)
            case .tooLong: throw PassphraseQuestion.answerTooLong
            case .broken: return nil
            case .error(let number):
                connection.close(until: Deadline(milliseconds: limits.end))
                return .error(number)
            }
        }
    }

    /// GPG_ERR_TIMEOUT, with pinentry as its source.
    private static let timeout: UInt32 = 83_886_142

    private static func prepare(
        _ connection: inout AssuanConnection, _ lines: [(command: String, text: String)],
        _ options: [String], until deadline: Deadline
    ) throws(AssuanConnection.Failure) {
        for option in options {
            do throws(AssuanConnection.Failure) {
                _ = try connection.send("OPTION", option, until: deadline)
            } catch {
                // Pinentry does not know the option.
                guard case .error = error else {
                    throw error
                }
            }
        }
        _ = try connection.send("SETTITLE", "Lanyard", until: deadline)
        for (command, text) in lines {
            _ = try connection.send(command, text, until: deadline)
        }
        _ = try connection.send("SETTIMEOUT", "60", until: deadline)
    }

    /// - Parameter number: Of libgpg-error, with the source of the error in the upper half.
    private static func answerToError(_ number: UInt32) throws(KeychainError) -> Secret? {
        switch number & 0xFFFF {
        // GPG_ERR_CANCELED and GPG_ERR_FULLY_CANCELED.
        case 99, 198: throw PassphraseQuestion.cancelled
        // GPG_ERR_TIMEOUT.
        case 62: throw KeychainError.unanswered
        default: return nil
        }
    }

    /// Returns the options that describe our terminal; empty if the user can't be asked.
    private static func options(
        _ session: borrowing PromptSession, path: String
    ) throws(KeychainError) -> [String] {
        var options: [String] = []
        // pinentry-curses draws its window on a dumb terminal, too, where it can't be read.
        if let terminal = session.terminalPath, let type = try Environment.value("TERM"),
            type != "dumb"
        {
            options = ["ttyname=\(terminal)", "ttytype=\(type)"]
        } else {
            guard try Environment.hasDisplay, !isForTerminals(path) else {
                return []
            }
        }
        for variable in ["LC_ALL", "LC_CTYPE", "LANG"] {
            if let locale = try Environment.value(variable) {
                return options + ["lc-ctype=\(locale)"]
            }
        }
        return options + ["lc-ctype=C.UTF-8"]
    }

    /// Whether it asks at our terminal, if there is one, where it hides each answer.
    private static func asksAtTerminal() throws(KeychainError) -> Bool {
        guard ControllingTerminal.isUsable, let path = try programPath("pinentry") else {
            return false
        }
        let hasDisplay = try Environment.hasDisplay
        return isForTerminals(path) || !hasDisplay
    }

    /// Whether it needs a terminal: without one, pinentry-tty reports that the user cancelled.
    private static func isForTerminals(_ path: String) -> Bool {
        guard let name = name(path) else {
            return true
        }
        return name.hasSuffix("-tty") || name.hasSuffix("-curses")
    }

    /// Returns the name of the program that a path leads to, nil without one.
    private static func name(_ path: String) -> String? {
        SystemCalls.realPath(path).map(PrivatePlace.name(of:))
    }
}
