internal import KeychainServices

extension Optional where Wrapped == Secret {
    /// The bytes of what is not confidential after all.
    var text: ByteString? {
        switch self {
        case .some(let secret): secret.withBytes { ByteString(copying: $0) }
        case .none: nil
        }
    }
}
