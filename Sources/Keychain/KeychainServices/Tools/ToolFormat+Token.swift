extension ToolFormat {
    /// Creates a tool whose helper gives tokens, or logins, by the address of a server.
    ///
    /// - Parameters:
    ///   - isToken: Whether the tool sends every secret as a token in a header.
    ///   - schemes: The schemes of addresses that the tool has another name for when it asks.
    package init(
        tokensOf name: String, helper: String, programs: [String], needsAccount: Bool = false,
        hostlessSchemes: [ByteString] = [], isToken: Bool = true,
        schemes: KeyValuePairs<ByteString, ProtocolType> = [:],
        protocolHelper: ToolHelper
    ) {
        self.init(
            name: name, helper: helper, programs: programs, needsAccount: needsAccount,
            hostlessSchemes: hostlessSchemes,
            attributes: { name throws(KeychainError) in
                var attributes = name
                let given = name.protocol ?? .https
                let used = schemes.first { $0.key == given.scheme }
                attributes.protocol = used?.value ?? given
                let isSocket = given.scheme == "unix" && name.server ?? "" == ""
                let url = ServerURL(
                    scheme: attributes.protocol?.scheme,
                    host: isSocket ? "localhost" : name.server ?? "", port: name.port
                ).normalized
                attributes.server = url.host
                attributes.port = url.port
                attributes.path = name.path?.trimmingSlashes
                return attributes
            },
            check: { token throws(KeychainError) in
                guard token.isHeaderToken || !isToken else {
                    throw KeychainError(.param, "\(name) tokens are text without spaces")
                }
            }, protocolHelper: protocolHelper)
    }
}

extension ToolFormat {
    /// Creates a tool whose helper gives secrets by a name, the service of a generic password.
    ///
    /// - Parameter what: What the tool calls the name, for errors.
    package init(
        secretsOf name: String, helper: String, programs: [String], namedBy what: String,
        check: @escaping @Sendable (borrowing Secret) throws(KeychainError) -> Void = { _ in },
        protocolHelper: ToolHelper
    ) {
        self.init(
            name: name, helper: helper, programs: programs, isForServers: false,
            attributes: { attributes throws(KeychainError) in
                guard attributes.server == nil else {
                    throw KeychainError(.param, "\(name) needs \(what), not a URL")
                }
                return attributes
            }, check: check, protocolHelper: protocolHelper)
    }
}

extension ServerURL {
    /// The address as helpers store it: host and scheme in lower case, without the scheme's own port, and with the
    /// path that items have.
    package var normalized: ServerURL {
        ServerURL(
            scheme: scheme?.lowercasedASCII, host: host.lowercasedASCII, port: usedPort,
            path: decodedPath == "" ? nil : decodedPath)
    }
}

extension Secret {
    /// Whether it can be a token in a header of HTTP: visible ASCII characters, at least one.
    package var isHeaderToken: Bool {
        withBytes { bytes in
            !bytes.isEmpty && bytes.indices.allSatisfy { (0x21..<0x7F).contains(bytes[$0]) }
        }
    }
}
