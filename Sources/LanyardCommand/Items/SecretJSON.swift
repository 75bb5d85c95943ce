internal import KeychainServices
internal import StrictJSON

extension JSONWriter {
    /// Writes a secret as the member `secret`, or, if it is not UTF-8, as `secretBase64`.
    mutating func member(secret: borrowing Secret) throws(KeychainError) {
        if secret.withBytes({ UTF8Validity.isValid($0) }) {
            try member("secret", secret)
        } else {
            try member("secretBase64", secret.withBytes { Base64.encode($0) })
        }
    }
}

/// Checks in place whether bytes are UTF-8.
enum UTF8Validity {
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        (try? UTF8Span(validating: bytes)) != nil
    }
}
