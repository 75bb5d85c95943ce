/// A secret that may be missing.
extension Optional where Wrapped == Secret {
    /// Returns a copy of the secret, nil if it is missing.
    package borrowing func copy() -> Secret? {
        switch self {
        case .some(let secret): secret.copy()
        case .none: nil
        }
    }

    /// Whether both are missing or both have the same bytes. The time depends on the lengths alone.
    package borrowing func isEqual(to other: borrowing Secret?) -> Bool {
        switch self {
        case .some(let mine):
            switch other {
            case .some(let others): mine.isEqual(to: others)
            case .none: false
            }
        case .none: other == nil
        }
    }
}
