package import KeychainServices

/// Answers cargo from a keychain.
package struct CargoCredentialHelper {
    /// The access group of registries' tokens.
    package static let accessGroup: ByteString = "cargo"

    private let session: any HelperSession

    /// Creates a helper for a session.
    package init(_ session: any HelperSession) {
        self.session = session
    }

    /// Answers a request, one line of JSON; an error is an answer, too.
    ///
    /// - Throws: ``Status/decode`` for a token that is not text.
    package func answer(_ line: borrowing Secret) throws(KeychainError) -> Secret {
        let answer: CargoAnswer
        do throws(KeychainError) {
            answer = try self.answer(to: try CargoRequest(line))
        } catch {
            answer = .failed(error)
        }
        return try answer.line()
    }

    private func answer(to request: consuming CargoRequest) throws(KeychainError) -> CargoAnswer {
        guard !request.hasArguments else {
            throw KeychainError(
                .param, "credential-provider has arguments for cargo-credential-lanyard",
                hint: "LANYARD_KEYCHAIN names another keychain")
        }
        guard ["get", "login", "logout"].contains(request.kind) else {
            return .refused(.operationNotSupported)
        }
        guard let item = CargoCredentialHelper.item(index: request.index) else {
            return .refused(.urlNotSupported)
        }
        let keychain = try session.keychain()
        switch request.kind {
        case "get":
            guard let token = try keychain.secret(.internetPassword, identifiedBy: item) else {
                return .refused(.notFound)
            }
            return .token(token)
        case "login":
            try keychain.store(.internetPassword, item, secret: try token(request))
        default:
            guard try keychain.remove(.internetPassword, identifiedBy: item) else {
                return .refused(.notFound)
            }
        }
        return .done(request.kind)
    }

    /// Returns the token of a login.
    private func token(_ request: borrowing CargoRequest) throws(KeychainError) -> Secret {
        let token =
            switch request.token {
            case .some(let token): token.copy()
            case .none: try ask(request)
            }
        try CargoCredentialHelper.check(token)
        return token
    }

    private func ask(_ request: borrowing CargoRequest) throws(KeychainError) -> Secret {
        var prompt = "token for \(request.index)"
        // The registry chose this text.
        if let url = request.loginURL, url.bytes.allSatisfy({ (0x21..<0x7F).contains($0) }) {
            prompt += " (see \(url))"
        }
        return try session.ask(
            HelperQuestion(
                "\(prompt): ",
                hint: "lanyard set --for cargo \(request.index.shellWord)"))
    }

    /// Throws unless a token has the form that cargo sends: text without line breaks.
    static func check(_ token: borrowing Secret) throws(KeychainError) {
        let isText = token.withBytes { bytes in
            !bytes.isEmpty && bytes.indices.allSatisfy { (0x20..<0x7F).contains(bytes[$0]) }
        }
        guard isText else {
            throw KeychainError(.param, "cargo tokens are ASCII text in one line, and not empty")
        }
    }

    /// Returns the attributes of the item for the index of a registry; nil for an index without a host. The user in an
    /// address of ssh is the server's, not the token's.
    static func item(index: ByteString) -> ItemAttributes? {
        guard let url = ServerURL(withoutUserOf: index), let scheme = url.scheme else {
            return nil
        }
        return item(scheme: scheme, host: url.host, port: url.port, path: url.decodedPath)
    }

    /// Other hosts of crates.io: cargo names its index by the address on GitHub, also where it reads another one.
    private static let cratesIO: [ByteString] = ["crates.io", "index.crates.io"]

    /// Returns the attributes of the item for an index. The ways of reading an index have one login.
    static func item(
        scheme: ByteString, host: ByteString, port: UInt16?, path: ByteString?
    ) -> ItemAttributes {
        let slash = UInt8(ascii: "/")
        let path = (path?.bytes ?? []).drop { $0 == slash }
        let end = path.lastIndex { $0 != slash }.map { $0 + 1 } ?? path.startIndex
        // `sparse+https` is a way to read the index at an https address.
        let protocolScheme = scheme.bytes.split(separator: UInt8(ascii: "+")).last ?? []
        let url = ServerURL(
            scheme: ByteString(Array(protocolScheme)).lowercasedASCII, host: host.lowercasedASCII,
            port: port, path: ByteString(Array(path[..<end])))
        if cratesIO.contains(url.host), url.scheme == "https", url.usedPort == 0, path.isEmpty {
            return item(
                scheme: "https", host: "github.com", port: nil, path: "rust-lang/crates.io-index")
        }
        var attributes = ItemAttributes()
        attributes.accessGroup = accessGroup
        attributes.protocol = url.scheme.map { ProtocolType(scheme: $0) }
        attributes.server = url.host
        attributes.port = url.usedPort
        attributes.path = url.path
        return attributes
    }
}
