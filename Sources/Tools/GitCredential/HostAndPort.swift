internal import KeychainServices

/// A host in git's form, split into two parts. Joined, they are the same text again: two different hosts
/// never have the same server and port.
struct HostAndPort: Equatable {
    /// The name or address; IPv6 addresses keep their brackets.
    let server: ByteString
    /// 1 to 65535, or 0 for none.
    let port: UInt16

    /// Splits off the port if it is unambiguous: a decimal number from 1 to 65535, without leading zeros.
    /// Its colon must be the first outside brackets. Any other text is the server as a whole.
    init(_ host: ByteString) {
        let bytes = host.bytes.span
        if let colon = bytes.lastIndex(of: Byte.colon),
            let port = bytes.extracting((colon + 1)...).port,
            HostAndPort.canHavePort(bytes.extracting(..<colon))
        {
            server = ByteString(copying: bytes.extracting(..<colon))
            self.port = port
        } else {
            server = host
            port = 0
        }
    }

    private static func canHavePort(_ server: Span<UInt8>) -> Bool {
        guard server.contains(Byte.colon) else {
            return true
        }
        return server[0] == UInt8(ascii: "[")
            && server.firstIndex(of: UInt8(ascii: "]")) == server.count - 1
    }
}
