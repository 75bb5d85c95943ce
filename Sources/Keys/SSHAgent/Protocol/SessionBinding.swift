internal import KeychainServices

/// The message by which ssh tells the agent to which session a connection belongs: OpenSSH,
/// PROTOCOL.agent, "session-bind@openssh.com extension".
struct SessionBinding: Hashable, Sendable {
    static let extensionName: ByteString = "session-bind@openssh.com"

    /// The server's public key.
    let hostKey: ByteString
    /// The hash of the first key exchange.
    let session: ByteString
    /// The server's signature of the session.
    let signature: ByteString
    /// Whether the connection is for programs on the server; otherwise it is to log in there.
    let isForwarding: Bool
}

extension SessionBinding {
    init(from reader: inout WireReader) throws(KeychainError) {
        hostKey = try reader.string()
        session = try reader.string()
        signature = try reader.string()
        isForwarding = try reader.boolean()
    }
}
