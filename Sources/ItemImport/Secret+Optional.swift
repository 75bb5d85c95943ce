internal import KeychainServices

extension Optional where Wrapped == Secret {
    /// The bytes of a value that turned out not to be confidential.
    var text: ByteString? {
        switch self {
        case .some(let secret): secret.withBytes { ByteString(copying: $0) }
        case .none: nil
        }
    }
}
