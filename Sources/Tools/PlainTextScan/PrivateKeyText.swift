internal import PlainTextFormats
internal import LanyardSecrets

/// A private key in a text, in the PEM form of RFC 7468 or in OpenSSH's, without a passphrase.
///
/// The text may be a file of its own, or a value in JSON, where line breaks are `\n`.
package enum PrivateKeyText {
    /// The end of the line before every private key.
    static let mark: StaticString = "PRIVATE KEY-----"
    /// How many bytes before the mark are needed.
    static let before = 48
    /// How many bytes from the mark on are needed.
    static let after = 96

    /// The start of the line.
    private static let start: StaticString = "-----BEGIN "
    /// Fewer digits after the line are no key, but a text about keys.
    private static let leastDigits = 40
    /// The Base64 of what OpenSSH's keys without a passphrase begin with: `openssh-key-v1`, a NUL, and
    /// the length and the name of the cipher, `none`.
    private static let unencryptedOpenSSH: StaticString = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU"

    /// Returns whether a mark belongs to a private key that opens without a passphrase.
    ///
    /// - Parameter index: Where the mark starts.
    package static func isUnencrypted(in text: Span<UInt8>, markAt index: Int) -> Bool {
        guard index >= 0, index <= text.count, text.extracting(index...).starts(with: mark),
            let label = label(in: text.extracting(max(0, index - before)..<index)),
            let body = body(in: text, after: index + mark.utf8CodeUnitCount)
        else {
            return false
        }
        switch label {
        case "ENCRYPTED ": return false
        case "OPENSSH ": return text.extracting(body...).starts(with: unencryptedOpenSSH)
        default: return true
        }
    }

    /// Returns the words between the start of the line and the mark: `RSA `, for example.
    private static func label(in text: Span<UInt8>) -> String? {
        var first = text.count
        while first > 0, isOfLabel(text[first - 1]) {
            first -= 1
        }
        // `BEGIN ` has such bytes, too.
        let place = first - 5
        guard place >= 0, text.extracting(place...).starts(with: start) else {
            return nil
        }
        return text.extracting((place + start.utf8CodeUnitCount)...).name
    }

    /// Returns where the first line of digits starts, nil if none follows the line. A header with the
    /// name of a cipher is none.
    private static func body(in text: Span<UInt8>, after end: Int) -> Int? {
        var index = end
        guard isLineBreak(in: text, &index) else {
            return nil
        }
        while index < text.count, text[index].isBlank {
            index += 1
        }
        let most = min(text.count, index + leastDigits)
        guard most - index == leastDigits, (index..<most).allSatisfy({ isDigit(text[$0]) }) else {
            return nil
        }
        return index
    }

    /// Takes a line break: a line feed, a carriage return before it, or their escapes.
    private static func isLineBreak(in text: Span<UInt8>, _ index: inout Int) -> Bool {
        let rest = text.extracting(min(index, text.count)...)
        for lineBreak in ["\n", "\r\n", "\\n", "\\r\\n"] as [StaticString]
        where rest.starts(with: lineBreak) {
            index += lineBreak.utf8CodeUnitCount
            return true
        }
        return false
    }

    private static func isOfLabel(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Whether it is a digit of Base64: RFC 4648, section 4.
    private static func isDigit(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }
}
