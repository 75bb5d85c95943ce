internal import Configuration
internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// The program by which GnuPG asks, in a window or at the terminal.
enum Pinentry {
    /// How many milliseconds there are.
    struct TimeLimits {
        /// Until it can ask.
        var start: Int64 = 10_000
        /// Until a person has answered; longer than what it is told itself.
        var answer: Int64 = 90_000
        /// Until it has ended.
        var end: Int64 = 1_000
    }

    /// Asks a person.
    ///
    /// - Returns: The answer; nil where there is no pinentry, or it can't ask.
    /// - Throws: ``Status/userCanceled`` if a person says so, after the time limit, and for a
    ///   signal; ``Status/dataTooLarge``.
    static func ask(
        _ question: PassphraseQuestion, limits: TimeLimits = TimeLimits()
    ) throws(KeychainError) -> Secret? {
        guard let path = try programPath("pinentry") else {
            return nil
        }
        let session = try PromptSession()
        let options = try options(session, path: path)
        guard !options.isEmpty else {
            return nil
        }
        let program: ChildProcess
        do throws(SystemCallError) {
            program = try ChildProcess(
                path, hasInput: true, showsErrors: false, signals: session.signals)
        } catch {
            return nil
        }
        var connection = AssuanConnection(program)
        do throws(AssuanConnection.Failure) {
            let start = Deadline(milliseconds: limits.start)
            _ = try connection.readAnswer(until: start)
            try prepare(&connection, question, options, until: start)
        } catch {
            guard case .signal = error else {
                return nil
            }
            throw PassphraseQuestion.cancelled
        }
        return try getPIN(&connection, limits)
    }

    private static func prepare(
        _ connection: inout AssuanConnection, _ question: PassphraseQuestion, _ options: [String],
        until deadline: Deadline
    ) throws(AssuanConnection.Failure) {
        for option in options {
            do throws(AssuanConnection.Failure) {
                _ = try connection.send("OPTION", option, until: deadline)
            } catch {
                // An option that it does not know.
                guard case .error = error else {
                    throw error
                }
            }
        }
        _ = try connection.send("SETTITLE", "Lanyard", until: deadline)
        _ = try connection.send("SETDESC", question.description, until: deadline)
        _ = try connection.send("SETPROMPT", question.label, until: deadline)
        if let error = question.error {
            _ = try connection.send("SETERROR", error, until: deadline)
        }
        _ = try connection.send("SETTIMEOUT", "60", until: deadline)
    }

    private static func getPIN(
        _ connection: inout AssuanConnection, _ limits: TimeLimits
    ) throws(KeychainError) -> Secret? {
        do throws(AssuanConnection.Failure) {
            let answer = try connection.send(
                "GETPIN", until: Deadline(milliseconds: limits.answer))
            connection.close(until: Deadline(milliseconds: limits.end))
            return answer
        } catch {
            switch error {
            case .signal: throw PassphraseQuestion.cancelled
            case .deadline: throw PassphraseQuestion.unanswered
            case .tooLong: throw PassphraseQuestion.answerTooLong
            case .broken: return nil
            case .error(let number):
                connection.close(until: Deadline(milliseconds: limits.end))
                return try answerToError(number)
            }
        }
    }

    /// - Parameter number: Of libgpg-error, with the source of the error in the upper half.
    private static func answerToError(_ number: UInt32) throws(KeychainError) -> Secret? {
        switch number & 0xFFFF {
        // GPG_ERR_CANCELED and GPG_ERR_FULLY_CANCELED.
        case 99, 198: throw PassphraseQuestion.cancelled
        // GPG_ERR_TIMEOUT.
        case 62: throw PassphraseQuestion.unanswered
        default: return nil
        }
    }

    /// What it is told of where it runs; nothing where a person can't be asked.
    private static func options(
        _ session: borrowing PromptSession, path: String
    ) throws(KeychainError) -> [String] {
        var options: [String] = []
        if let terminal = session.terminalPath, let type = try Environment.value("TERM") {
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

    /// Without a terminal pinentry-tty says that a person cancelled.
    private static func isForTerminals(_ path: String) -> Bool {
        // Safe: `realpath` allocates what is freed here, and the name is copied before.
        guard let real = unsafe realpath(path, nil) else {
            return true
        }
        defer { unsafe free(real) }
        let name = unsafe String(cString: real)
        return name.hasSuffix("-tty") || name.hasSuffix("-curses")
    }
}
