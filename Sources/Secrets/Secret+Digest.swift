extension Secret {
    /// A number by which it is known again in this process, and which is worth nothing in another one.
    package var digest: Int {
        withBytes { bytes in
            var hasher = Hasher()
            // Safe: the bytes are lent for the call.
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            return hasher.finalize()
        }
    }
}
