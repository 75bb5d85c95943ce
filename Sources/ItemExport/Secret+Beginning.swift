internal import KeychainServices

extension Secret {
    /// Whether it starts with the bytes of a literal.
    borrowing func begins(with text: StaticString) -> Bool {
        withBytes { bytes in
            bytes.count >= text.utf8CodeUnitCount
                && (0..<text.utf8CodeUnitCount).allSatisfy { bytes[$0] == text.byte(at: $0) }
        }
    }
}
