extension Secret {
    /// Where a byte is first, nil if it is not there.
    package borrowing func firstIndex(of byte: UInt8) -> Int? {
        withBytes { bytes in bytes.indices.first { bytes[$0] == byte } }
    }

    /// The first bytes.
    package borrowing func prefix(_ count: Int) -> Secret {
        withBytes { Secret(copying: $0.extracting(first: count)) }
    }

    /// All but the first bytes.
    package borrowing func dropping(_ count: Int) -> Secret {
        withBytes { Secret(copying: $0.extracting(droppingFirst: count)) }
    }
}
