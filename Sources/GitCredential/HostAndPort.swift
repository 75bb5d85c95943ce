internal import KeychainServices

/// A host as git writes it, in its two parts. Put together again they are the same text, so that
/// two different hosts are never the same server and port.
struct HostAndPort: Equatable {
    /// The name or address; IPv6 addresses in the brackets that they came in.
    let server: ByteString
    /// 1 to 65535, or 0 if there is none.
    let port: UInt16

    /// Splits off the port if there is one beyond doubt: a decimal number from 1 to 65535, without
    /// leading zeros, after a colon that no other precedes but inside brackets. Any other text is
    /// all of it the server.
    init(_ host: ByteString) {
        let bytes = host.bytes.span
        if let colon = bytes.lastIndex(of: Byte.colon),
            let port = HostAndPort.port(bytes.extracting((colon + 1)...)),
            HostAndPort.canHavePort(bytes.extracting(..<colon))
        {
            server = ByteString(copying: bytes.extracting(..<colon))
            self.port = port
        } else {
            server = host
            port = 0
        }
    }

    private static func port(_ text: Span<UInt8>) -> UInt16? {
        guard let number = text.decimalNumber, text[0] != Byte.zero else {
            return nil
        }
        return UInt16(exactly: number)
    }

    private static func canHavePort(_ server: Span<UInt8>) -> Bool {
        guard server.contains(Byte.colon) else {
            return true
        }
        return server[0] == UInt8(ascii: "[")
            && server.firstIndex(of: UInt8(ascii: "]")) == server.count - 1
    }
}
