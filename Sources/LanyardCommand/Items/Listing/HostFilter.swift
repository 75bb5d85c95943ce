internal import KeychainServices

/// A host and its subdomains, to filter items.
struct HostFilter: Equatable {
    /// In lower case.
    private let host: ByteString
    /// The required port, nil for any.
    private let port: UInt16?

    /// - Parameter text: `host[:port]`; `example.com` also means `git.example.com`.
    /// - Throws: ``Status/param`` for anything else, such as a URL.
    init(_ text: String) throws(KeychainError) {
        let wrong = KeychainError(
            .param, "--server needs a host", hint: "for example example.com, or localhost:5000")
        guard !text.isEmpty, !text.utf8.contains(UInt8(ascii: "/")) else {
            throw wrong
        }
        let bytes = Array(text.utf8)
        let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
        let isBracketed = bytes.first == UInt8(ascii: "[")
        let end = isBracketed ? bytes.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : colons.first
        // An IPv6 address without brackets has several colons, and no port.
        guard let end, end < bytes.count, isBracketed || colons.count == 1 else {
            guard !isBracketed || end != nil else {
                throw wrong
            }
            let isAddress = !isBracketed && colons.count > 1
            host = ByteString(isAddress ? "[\(text)]" : text).lowercasedASCII
            port = nil
            return
        }
        let digits = String(decoding: bytes[end...].dropFirst(), as: UTF8.self)
        guard end > 0, bytes[end] == UInt8(ascii: ":"), let port = UInt16(digits), port > 0,
            String(port) == digits
        else {
            throw wrong
        }
        host = ByteString(Array(bytes[..<end])).lowercasedASCII
        self.port = port
    }

    /// Whether an item is for the host or a subdomain.
    func matches(_ attributes: ItemAttributes) -> Bool {
        guard let server = attributes.server?.lowercasedASCII.bytes else {
            return false
        }
        guard port == nil || port == attributes.port else {
            return false
        }
        return server == host.bytes
            || server.suffix(host.bytes.count + 1) == [UInt8(ascii: ".")] + host.bytes
    }
}
