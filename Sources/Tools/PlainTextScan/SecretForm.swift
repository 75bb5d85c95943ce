internal import LanyardSecrets

/// How a text contains a secret.
package enum SecretForm: String, Hashable, Sendable {
    /// As it is.
    case plain
    /// In Base64, alone or after the account and a colon, as in a header of HTTP.
    case base64
    /// With percent codes, as in a URL.
    case percentEncoded = "percent-encoded"
    /// With the escapes of a JSON string.
    case json
}

/// The forms of a secret that a file may contain.
enum SecretForms {
    /// Passes each form that differs from the secret itself to a closure; a form may come twice.
    static func forEach(
        of secret: borrowing Secret, account: ByteString?,
        _ body: (SecretForm, borrowing Secret) -> Void
    ) {
        forEachBase64(of: secret, body)
        if let account, !account.isEmpty {
            var login = SecretBuilder(capacity: account.bytes.count + 1 + secret.count)
            login.append(account)
            login.append(UInt8(ascii: ":"))
            login.append(secret)
            forEachBase64(of: login.finish(), body)
        }
        // Those of git-credential-store are in lower case.
        for digits in ["0123456789ABCDEF", "0123456789abcdef"] as [StaticString] {
            var text = SecretBuilder(capacity: secret.count * 3)
            secret.withBytes { text.append(percentEncoding: $0, digits: digits) }
            body(.percentEncoded, text.finish())
        }
        for escapes in JSONEscapes.all {
            body(.json, escapes.escaped(secret))
        }
    }

    /// Base64 in both alphabets, up to the last digit that depends on the secret alone: without padding,
    /// and the same if a newline follows the secret.
    private static func forEachBase64(
        of secret: borrowing Secret, _ body: (SecretForm, borrowing Secret) -> Void
    ) {
        let whole = secret.withBytes { Base64.encode($0) }
        let known = whole.prefix(secret.count * 8 / 6)
        body(.base64, known)
        var forURLs = SecretBuilder(capacity: known.count)
        known.withBytes { digits in
            for index in digits.indices {
                switch digits[index] {
                case UInt8(ascii: "+"): forURLs.append(UInt8(ascii: "-"))
                case UInt8(ascii: "/"): forURLs.append(UInt8(ascii: "_"))
                default: forURLs.append(digits[index])
                }
            }
        }
        body(.base64, forURLs.finish())
    }
}

/// The choices that programs have when they write a JSON string: RFC 8259, section 7.
private struct JSONEscapes {
    /// Whether `/` comes after a `\`.
    let ofSlashes: Bool
    /// Whether characters beyond ASCII are numbers.
    let beyondASCII: Bool

    static let all = [
        JSONEscapes(ofSlashes: false, beyondASCII: false),
        JSONEscapes(ofSlashes: true, beyondASCII: false),
        JSONEscapes(ofSlashes: false, beyondASCII: true),
        JSONEscapes(ofSlashes: true, beyondASCII: true),
    ]

    /// Returns the text between the quotation marks.
    func escaped(_ secret: borrowing Secret) -> Secret {
        var text = SecretBuilder(capacity: secret.count * 2)
        secret.withBytes { bytes in
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                if beyondASCII, byte >= 0x80, let scalar = UTF8Scalar(bytes, at: index) {
                    for unit in scalar.units {
                        append(number: unit, to: &text)
                    }
                    index += scalar.length
                    continue
                }
                index += 1
                switch byte {
                case UInt8(ascii: "\""): text.append("\\\"")
                case UInt8(ascii: "\\"): text.append("\\\\")
                case UInt8(ascii: "/") where ofSlashes: text.append("\\/")
                case 0x08: text.append("\\b")
                case 0x09: text.append("\\t")
                case 0x0A: text.append("\\n")
                case 0x0C: text.append("\\f")
                case 0x0D: text.append("\\r")
                case 0..<0x20: append(number: UInt16(byte), to: &text)
                default: text.append(byte)
                }
            }
        }
        return text.finish()
    }

    private func append(number: UInt16, to text: inout SecretBuilder) {
        text.append("\\u")
        for shift in [12, 8, 4, 0] as [UInt16] {
            text.append(Hexadecimal.digit(UInt8(number >> shift & 15)))
        }
    }
}

/// A character beyond ASCII in valid UTF-8.
private struct UTF8Scalar {
    /// How many bytes it has.
    let length: Int
    /// The same in UTF-16.
    let units: [UInt16]

    init?(_ bytes: Span<UInt8>, at index: Int) {
        let first = bytes[index]
        length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, first < 0xF5, index + length <= bytes.count else {
            return nil
        }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for next in index + 1..<index + length {
            guard bytes[next] & 0xC0 == 0x80 else {
                return nil
            }
            value = value << 6 | UInt32(bytes[next] & 0x3F)
        }
        guard let scalar = Unicode.Scalar(value) else {
            return nil
        }
        units = Array(scalar.utf16)
    }
}
