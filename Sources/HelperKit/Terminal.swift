internal import Glibc
public import Keychain
internal import SealedStore

/// Asks a person for a secret, at the terminal and never on the standard streams. What is typed is
/// not shown, and ^C leaves the terminal as it was.
///
/// - Parameters:
///   - prompt: Ends with a space.
///   - hint: What to do where there is nobody to ask.
/// - Throws: ``Status/interactionNotAllowed`` where there is no terminal or LANYARD_NO_PROMPT is
///   set, ``Status/userCanceled``, ``Status/io``.
public func askForSecret(prompt: String, hint: String) throws(KeychainError) -> Secret {
    let terminal = try Terminal(hint: hint)
    return try terminal.readLine(prompt: prompt, echo: false)
}

/// Asks a person for consent, which only `y` or `yes` is.
///
/// - Throws: ``Status/userCanceled`` for any other answer, and what ``askForSecret(prompt:hint:)``
///   throws.
public func askForConsent(_ question: String, hint: String) throws(KeychainError) {
    let terminal = try Terminal(hint: hint)
    let answer = try terminal.readLine(prompt: question, echo: true)
    let text = answer.withBytes { ByteString(copying: $0).lowercasedASCII }
    guard text == "y" || text == "yes" else {
        throw KeychainError(.userCanceled, "nothing was changed")
    }
}

/// The process's terminal.
private struct Terminal: ~Copyable {
    private let descriptor: Int32

    init(hint: String) throws(KeychainError) {
        let nobody = KeychainError(
            .interactionNotAllowed, "there is no terminal to ask at", hint: hint)
        guard try Environment.value("LANYARD_NO_PROMPT") == nil else {
            throw nobody
        }
        do throws(SystemCallError) {
            descriptor = try SystemCalls.open("/dev/tty", O_RDWR | O_NOCTTY)
        } catch {
            throw nobody
        }
    }

    deinit {
        SystemCalls.close(descriptor)
    }

    /// Reads a line without its end.
    borrowing func readLine(prompt: String, echo: Bool) throws(KeychainError) -> Secret {
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else {
            throw KeychainError(.io, "the terminal does not answer")
        }
        var asking = before
        // ^C and its like reach us as bytes, so that nothing can end us with the echo off.
        asking.c_lflag &= ~tcflag_t(ISIG)
        if !echo {
            asking.c_lflag &= ~tcflag_t(ECHO)
        }
        let signals = EndingSignals()
        tcsetattr(descriptor, TCSAFLUSH, &asking)
        defer {
            tcsetattr(descriptor, TCSAFLUSH, &before)
            signals.restore()
        }
        write(prompt)
        let line = try read(before)
        if !echo {
            write("\n")
        }
        return line
    }

    private borrowing func write(_ text: String) {
        try? SystemCalls.writeAll(descriptor, Array(text.utf8).span)
    }

    private borrowing func read(_ settings: termios) throws(KeychainError) -> Secret {
        // VINTR and VQUIT, as the person has set them.
        let ending = [settings.c_cc.0, settings.c_cc.1]
        let cancelled = KeychainError(.userCanceled, "cancelled: nothing was changed")
        let chunk = try Secret(capacity: 4096) { memory throws(KeychainError) in
            // Not through SystemCalls: a signal must end the reading.
            let count = Glibc.read(descriptor, memory.baseAddress, memory.count)
            guard count > 0 else {
                throw cancelled
            }
            return count
        }
        return try chunk.withBytes { bytes throws(KeychainError) in
            for index in bytes.indices where ending.contains(bytes[index]) {
                throw cancelled
            }
            let endsLine = bytes[bytes.count - 1] == UInt8(ascii: "\n")
            guard endsLine else {
                // The end of input in the middle of a line, or a line that the terminal cut off.
                throw bytes.count < 4095
                    ? cancelled : KeychainError(.dataTooLarge, "the line is too long")
            }
            return Secret(copying: bytes.extracting(first: bytes.count - 1))
        }
    }
}

/// Ignores the signals that would end us with the terminal changed; they end the reading instead.
private struct EndingSignals {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private let before: [sigaction]

    init() {
        before = EndingSignals.numbers.map { number in
            var interrupting = sigaction()
            // A handler, and no SA_RESTART: read(2) returns with EINTR.
            interrupting.__sigaction_handler.sa_handler = { _ in }
            var old = sigaction()
            sigaction(number, &interrupting, &old)
            return old
        }
    }

    func restore() {
        for (number, action) in zip(EndingSignals.numbers, before) {
            var action = action
            sigaction(number, &action, nil)
        }
    }
}
