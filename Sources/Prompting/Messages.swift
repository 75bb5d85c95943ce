internal import Glibc
public import KeychainServices

// How every executable speaks to a person: on stderr, one line each (which a terminal that is too narrow for
// it gets broken between words), lower case, no full stop.
// `lanyard: error: …` says what happened to what, `lanyard: hint: …` what to do next. A line never
// holds a secret, and nothing of it reaches the terminal as a control sequence.

/// Writes an error and its hint to stderr.
public func printError(_ error: KeychainError) {
    printLine("lanyard: error: \(error.reason)")
    if let hint = error.hint {
        printHint(hint)
    }
}

/// Writes what was done to stderr.
public func printNote(_ text: String) {
    printLine("lanyard: \(text)")
}

/// Writes a warning to stderr.
public func printWarning(_ reason: String) {
    printLine("lanyard: warning: \(reason)")
}

/// Writes an error to stdout, one line without anything before it, and its hint to stderr: for a
/// protocol whose other side looks for errors among the answers.
public func printErrorAsAnswer(_ error: KeychainError) {
    printLine(error.reason, to: 1)
    if let hint = error.hint {
        printHint(hint)
    }
}

/// Writes a hint to stderr.
public func printHint(_ hint: String) {
    printLine("lanyard: hint: \(hint)")
}

private func printLine(_ line: String, to descriptor: Int32 = 2) {
    // A path or a name may hold anything.
    var text = harmless(line)
    // What another program reads stays one line.
    if descriptor == 2, let columns = terminalColumns(2) {
        text = text.wrapped(to: columns)
    }
    let bytes = Array("\(text)\n".utf8)
    // Safe: the array's own bytes and count.
    unsafe bytes.withUnsafeBytes { buffer in
        _ = unsafe write(descriptor, buffer.baseAddress, buffer.count)
    }
}
