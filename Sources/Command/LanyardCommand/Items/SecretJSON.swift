internal import KeychainServices
internal import StrictJSON

extension JSONWriter {
    /// Writes a secret as the member `secret`, or, if it is not UTF-8, as `secretBase64`.
    mutating func member(secret: borrowing Secret) throws(KeychainError) {
        if secret.withBytes({ $0.isUTF8 }) {
            try member("secret", secret)
        } else {
            try member("secretBase64", secret.withBytes { Base64.encode($0) })
        }
    }
}
