internal import KeychainServices

/// A private key that a client adds.
struct NewKey: ~Copyable {
    /// The most bytes of a comment that are kept.
    private static let commentLimit = 1024

    let key: WirePrivateKey
    let comment: ByteString
    let constraints: KeyConstraints

    init(
        key: consuming WirePrivateKey, comment: ByteString, constraints: KeyConstraints
    ) {
        self.key = key
        self.comment = comment
        self.constraints = constraints
    }

    init(from reader: inout WireReader, hasConstraints: Bool) throws(KeychainError) {
        let key = try WirePrivateKey(from: &reader)
        let comment = try reader.string().cut(to: NewKey.commentLimit)
        let constraints = hasConstraints ? try KeyConstraints(from: &reader) : KeyConstraints()
        self.init(key: key, comment: comment, constraints: constraints)
    }
}
