internal import Glibc
public import KeychainServices

// Every executable writes messages to stderr, one line each, lower case, without a full stop; a narrow
// terminal gets lines broken between words, and a terminal with colours a red error and a yellow warning.
// `lanyard: error: …` says what happened to what, `lanyard: hint: …` what to do next. A line never
// contains a secret or a terminal control sequence.

/// Writes an error and its hint to stderr.
public func printError(_ error: KeychainError) {
    printLine("lanyard: error:", .alarming, error.reason)
    if let hint = error.hint {
        printHint(hint)
    }
}

/// Writes what Lanyard did to stderr.
public func printNote(_ text: String) {
    printLine("lanyard:", .plain, text)
}

/// Writes a warning to stderr.
public func printWarning(_ reason: String) {
    printLine("lanyard: warning:", .cautious, reason)
}

/// Writes an error to stdout, one line without a prefix, and its hint to stderr: for a protocol whose
/// client expects errors among the answers.
public func printErrorAsAnswer(_ error: KeychainError) {
    write("\(harmless(error.reason))\n", to: 1)
    if let hint = error.hint {
        printHint(hint)
    }
}

/// Writes a hint to stderr.
public func printHint(_ hint: String) {
    printLine("lanyard: hint:", .plain, hint)
}

private func printLine(_ prefix: String, _ style: TextStyle, _ message: String) {
    let hasColours = OutputTerminal(descriptor: 2)?.hasColours == true
    write(
        messageLine(
            prefix, hasColours ? style : .plain, message, columns: terminalColumns(2)),
        to: 2)
}

/// Returns the line of an error for a terminal that Lanyard asks at.
func errorLine(_ reason: String, columns: Int?) -> String {
    let hasColours = OutputTerminal(kernelColumns: columns).hasColours
    return messageLine(
        "lanyard: error:", hasColours ? .alarming : .plain, reason, columns: columns)
}

private func messageLine(
    _ prefix: String, _ style: TextStyle, _ message: String, columns: Int?
) -> String {
    // A path or a name may contain anything.
    let text = harmless("\(prefix) \(message)")
    let lines = columns.map { text.wrapped(to: $0) } ?? text
    return "\(style.applied(to: prefix))\(lines.dropFirst(prefix.count))\n"
}

private func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    // Safe: the array's own bytes and count.
    unsafe bytes.withUnsafeBytes { buffer in
        _ = unsafe write(descriptor, buffer.baseAddress, buffer.count)
    }
}
