extension Secret {
    /// A hash that identifies the secret in this process, and is meaningless in another one.
    package var digest: Int {
        withBytes { bytes in
            var hasher = Hasher()
            // Safe: the bytes are lent for the call.
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            return hasher.finalize()
        }
    }
}
