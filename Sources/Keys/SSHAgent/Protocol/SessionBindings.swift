internal import KeychainServices

/// The sessions that a connection is bound to, in order.
struct SessionBindings: Hashable, Sendable {
    /// Limits the hosts on the way, as OpenSSH does.
    private static let limit = 16
    /// SSH_MSG_USERAUTH_REQUEST, RFC 4252, section 6.
    private static let authenticationRequest: UInt8 = 50

    private var bindings: [SessionBinding] = []
    private var hasFailed = false

    /// Whether another host asks through the connection, or may do so: ssh goes on after a failed binding.
    var isForwarded: Bool { hasFailed || bindings.contains(where: \.isForwarding) }

    /// Adds a binding, or remembers that it failed.
    ///
    /// - Parameter isGenuine: Checks the server's signature of the session.
    /// - Returns: Whether it is valid: the first one of its session, genuine, and not after one to log in.
    mutating func add(
        _ binding: SessionBinding, isGenuine: (SessionBinding) -> Bool
    ) -> Bool {
        guard bindings.count < SessionBindings.limit,
            bindings.last?.isForwarding != false,
            !bindings.contains(where: { $0.session == binding.session }),
            !binding.session.isEmpty, isGenuine(binding)
        else {
            hasFailed = true
            return false
        }
        bindings.append(binding)
        return true
    }

    /// Returns whether the connection may have data signed: one that is bound to log in to a server only
    /// signs for that login. Through a connection that is forwarded, programs of the other host sign what
    /// they like, and an old ssh there binds nothing.
    func permit(_ data: ByteString) -> Bool {
        guard let last = bindings.last, !last.isForwarding else {
            return true
        }
        var reader = WireReader(Secret(copying: data.bytes.span))
        guard let session = try? reader.string(), let number = try? reader.byte() else {
            return false
        }
        return session == last.session && number == SessionBindings.authenticationRequest
    }
}
