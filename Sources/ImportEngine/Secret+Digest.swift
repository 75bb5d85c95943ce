internal import Keychain

extension Secret {
    /// Whether there is a line feed in it.
    var hasSeveralLines: Bool {
        withBytes { bytes in bytes.indices.contains { bytes[$0] == UInt8(ascii: "\n") } }
    }

    /// A number by which it is known again in this process, and which is worth nothing in another one.
    var digest: Int {
        withBytes { bytes in
            var hasher = Hasher()
            // Safe: the bytes are lent for the call.
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            return hasher.finalize()
        }
    }
}
