import KeychainServices

extension Secret {
    /// The bytes, where they are no secret.
    var bytes: [UInt8] {
        withBytes { span in span.indices.map { span[$0] } }
    }

    /// A secret of these bytes.
    init(bytes: [UInt8]) {
        self.init(copying: bytes.span)
    }
}
