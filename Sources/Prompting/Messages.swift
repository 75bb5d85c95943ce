internal import Glibc
public import KeychainServices

// Every executable writes messages to stderr, one line each, lower case, without a full stop; a narrow
// terminal gets lines broken between words.
// `lanyard: error: …` says what happened to what, `lanyard: hint: …` what to do next. A line never
// contains a secret or a terminal control sequence.

/// Writes an error and its hint to stderr.
public func printError(_ error: KeychainError) {
    printLine("lanyard: error: \(error.reason)")
    if let hint = error.hint {
        printHint(hint)
    }
}

/// Writes what Lanyard did to stderr.
public func printNote(_ text: String) {
    printLine("lanyard: \(text)")
}

/// Writes a warning to stderr.
public func printWarning(_ reason: String) {
    printLine("lanyard: warning: \(reason)")
}

/// Writes an error to stdout, one line without a prefix, and its hint to stderr: for a protocol whose
/// client expects errors among the answers.
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
    // A path or a name may contain anything.
    var text = harmless(line)
    // Output for another program stays on one line.
    if descriptor == 2, let columns = terminalColumns(2) {
        text = text.wrapped(to: columns)
    }
    let bytes = Array("\(text)\n".utf8)
    // Safe: the array's own bytes and count.
    unsafe bytes.withUnsafeBytes { buffer in
        _ = unsafe write(descriptor, buffer.baseAddress, buffer.count)
    }
}
