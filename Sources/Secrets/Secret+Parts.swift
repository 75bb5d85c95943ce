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
}
