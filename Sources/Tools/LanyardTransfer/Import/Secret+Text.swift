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

extension Secret {
    /// The bytes of a value that turned out not to be confidential, nil if there are none.
    var text: ByteString? { count > 0 ? withBytes { ByteString(copying: $0) } : nil }
}
