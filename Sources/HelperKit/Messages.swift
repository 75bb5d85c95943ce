internal import Glibc
public import Keychain

// How every executable speaks to a person: on stderr, one line each, lower case, no full stop.
// `lanyard: error: …` says what happened to what, `lanyard: hint: …` what to do next. A line never
// holds a secret, and nothing of it reaches the terminal as a control sequence.

/// Writes an error and its hint to stderr.
public func printError(_ error: KeychainError) {
    printLine("lanyard: error: \(error.reason)")
    if let hint = error.hint {
        printLine("lanyard: hint: \(hint)")
    }
}

private func printLine(_ line: String) {
    // A path or a name may hold anything.
    let harmless = line.unicodeScalars.map { scalar in
        scalar.properties.generalCategory == .control ? "?" : String(scalar)
    }
    let bytes = Array((harmless.joined() + "\n").utf8)
    bytes.withUnsafeBytes { buffer in
        _ = write(2, buffer.baseAddress, buffer.count)
    }
}
