import KeychainServices

extension Secret {
    /// The bytes, where they are no secret.
    var bytes: [UInt8] {
        withBytes { span in span.indices.map { span[$0] } }
    }
}
