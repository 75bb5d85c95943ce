internal import KeychainServices

/// A secret that may be absent.
extension Optional where Wrapped == Secret {
    /// Whether both are absent or both have the same bytes, in constant time.
    borrowing func isEqual(to other: borrowing Secret?) -> Bool {
        switch self {
        case .some(let mine):
            switch other {
            case .some(let others): mine.isEqual(to: others)
            case .none: false
            }
        case .none:
            other == nil
        }
    }

    /// Returns a copy of the secret, nil if absent.
    borrowing func copy() -> Secret? {
        switch self {
        case .some(let secret): secret.copy()
        case .none: nil
        }
    }

    var hasLineBreakOrNUL: Bool {
        switch self {
        case .some(let secret): secret.withBytes { $0.hasLineBreakOrNUL }
        case .none: false
        }
    }
}
