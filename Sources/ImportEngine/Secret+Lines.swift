internal import KeychainServices

extension Secret {
    /// Whether there is a line feed in it.
    var hasSeveralLines: Bool {
        withBytes { bytes in bytes.indices.contains { bytes[$0] == UInt8(ascii: "\n") } }
    }
}
