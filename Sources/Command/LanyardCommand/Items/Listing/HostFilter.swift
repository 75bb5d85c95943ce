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
        var bytes = Array(text.utf8)
        if bytes.first != UInt8(ascii: "["), bytes.count(where: { $0 == UInt8(ascii: ":") }) > 1 {
            // An IPv6 address without brackets has several colons, and no port.
            bytes = Array("[\(text)]".utf8)
        }
        let parts = URLParts(bytes.span)
        let host = bytes[parts.host]
        port = parts.port.flatMap { bytes.span.extracting($0).port }
        guard !host.isEmpty, parts.scheme == nil, parts.user == nil, parts.rest.isEmpty,
            (host.first == UInt8(ascii: "[")) == (host.last == UInt8(ascii: "]")),
            (port == nil) == (parts.port == nil)
        else {
            throw wrong
        }
        self.host = ByteString(Array(host)).lowercasedASCII
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
