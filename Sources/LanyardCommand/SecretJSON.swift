internal import Keychain
internal import StrictJSON

extension JSONWriter {
    /// Writes a secret as the member `secret`, or, if it is not UTF-8, as `secretBase64`.
    mutating func member(secret: borrowing Secret) throws(KeychainError) {
        if secret.withBytes({ UTF8Validity.isValid($0) }) {
            try member("secret", secret)
        } else {
            try member("secretBase64", secret.withBytes { base64($0) })
        }
    }
}

/// The Base64 form of bytes, padded: RFC 4648, section 4.
func base64(_ bytes: Span<UInt8>) -> Secret {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text = SecretBuilder(capacity: bytes.count * 4 / 3 + 4)
    var position = 0
    while position < bytes.count {
        let count = min(3, bytes.count - position)
        var group: UInt32 = 0
        for index in 0..<3 {
            group = group << 8 | (index < count ? UInt32(bytes[position + index]) : 0)
        }
        for index in 0..<4 {
            let digit = digits[Int(group >> UInt32(18 - 6 * index) & 63)]
            text.append(index <= count ? digit : UInt8(ascii: "="))
        }
        position += count
    }
    return text.finish()
}

/// Whether bytes are UTF-8, looked at where they lie.
enum UTF8Validity {
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        (try? UTF8Span(validating: bytes)) != nil
    }
}
