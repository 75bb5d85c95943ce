extension Secret {
    /// Returns the index of a byte's first occurrence, nil if it is missing.
    package borrowing func firstIndex(of byte: UInt8) -> Int? {
        withBytes { bytes in bytes.indices.first { bytes[$0] == byte } }
    }

    /// Returns the first bytes.
    package borrowing func prefix(_ count: Int) -> Secret {
        withBytes { Secret(copying: $0.extracting(first: count)) }
    }

    /// Returns the bytes after the first ones.
    package borrowing func dropping(_ count: Int) -> Secret {
        withBytes { Secret(copying: $0.extracting(droppingFirst: count)) }
    }

    /// Returns all but one newline at the end.
    package borrowing func droppingFinalNewline() -> Secret {
        let endsLine = withBytes { bytes in
            bytes.count > 0 && bytes[bytes.count - 1] == UInt8(ascii: "\n")
        }
        return prefix(count - (endsLine ? 1 : 0))
    }
}
