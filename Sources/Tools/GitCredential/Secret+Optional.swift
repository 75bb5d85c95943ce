internal import KeychainServices

/// A secret that may be absent.
extension Optional where Wrapped == Secret {
    var hasLineBreakOrNUL: Bool {
        switch self {
        case .some(let secret): secret.withBytes { $0.hasLineBreakOrNUL }
        case .none: false
        }
    }
}
