internal import LanyardSecrets

extension Span where Element == UInt8 {
    /// The bytes without spaces, tabs and carriage returns at both ends.
    package var withoutBlanks: Range<Int> { withoutBlanks(indices) }

    /// Returns a part without spaces, tabs and carriage returns at both ends.
    package func withoutBlanks(_ part: Range<Int>) -> Range<Int> {
        var start = part.lowerBound
        var end = part.upperBound
        while start < end, self[start].isBlank || self[start] == 0x0D {
            start += 1
        }
        while end > start, self[end - 1].isBlank || self[end - 1] == 0x0D {
            end -= 1
        }
        return start..<end
    }

    /// Returns a value without blanks and the quotation marks around it.
    package func unquoted(_ part: Range<Int>) -> Range<Int> {
        let part = withoutBlanks(part)
        guard let quote = part.first.map({ self[$0] }),
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else {
            return part
        }
        // TOML's texts of several lines: no quotation marks of one line.
        guard part.count < 3 || !(1..<3).allSatisfy({ self[part.lowerBound + $0] == quote }) else {
            return part
        }
        let start = part.lowerBound + 1
        var end = start
        while end < part.upperBound, self[end] != quote {
            end += self[end] == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
        }
        return start..<Swift.min(end, part.upperBound)
    }

    /// Whether a value is a secret: not empty, and no reference to a variable, to the keychain, to an
    /// encrypted text or to the Secret Service.
    package var isSecret: Bool {
        let value = extracting(withoutBlanks)
        return value.count > 0 && !value.starts(with: "$") && !value.starts(with: "lanyard:")
            && !value.starts(with: "{") && !value.equals("null") && !value.equals("~")
            && !value.isInSecretService
    }

    /// Whether it is what programs write of a secret that they store in the Secret Service: doppler
    /// `secret-` and a UUID, stripe a key, `sk_` or `rk_`, with asterisks instead of all but its first eight
    /// and last four characters.
    private var isInSecretService: Bool {
        if starts(with: "secret-") {
            return count == 43 && [15, 20, 25, 30].allSatisfy { self[$0] == UInt8(ascii: "-") }
        }
        return (starts(with: "sk_") || starts(with: "rk_")) && count > 12
            && (8..<count - 4).allSatisfy { self[$0] == UInt8(ascii: "*") }
    }

    /// The bytes as a string: for names, never for secrets.
    package var name: String {
        var bytes: [UInt8] = []
        for index in indices {
            bytes.append(self[index])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether it is a space or a tab.
    package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
