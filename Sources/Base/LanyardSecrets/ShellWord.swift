extension String {
    /// The text as one word for a shell, in quotation marks if it has anything but letters, digits and `-_./:@+%`.
    package var shellWord: String {
        let isPlain = utf8.allSatisfy { $0.isLetterOrDigit || "-_./:@+%".utf8.contains($0) }
        return isPlain && !isEmpty ? self : shellQuoted
    }

    /// The text in quotation marks for a shell.
    package var shellQuoted: String {
        // By scalars, because an apostrophe with an accent is a different character.
        var quoted = "'"
        for scalar in unicodeScalars {
            quoted += scalar == "'" ? "'\\''" : String(scalar)
        }
        return quoted + "'"
    }
}

extension ByteString {
    /// The text as one word for a shell.
    package var shellWord: String { "\(self)".shellWord }
}
