internal import KeychainServices

/// A key in the list.
struct Identity: Hashable, Sendable {
    /// In the form of RFC 4253, section 6.6.
    let publicKey: ByteString
    /// A text for users.
    let comment: ByteString
}
