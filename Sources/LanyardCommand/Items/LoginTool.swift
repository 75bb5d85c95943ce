internal import ArgumentParser
internal import DockerCredential
internal import GitCredential
internal import KeychainServices

/// A tool whose logins can be set by hand, in the form in which its helper stores them.
enum LoginTool: String, CaseIterable, ExpressibleByArgument {
    case git, docker

    /// The group in which its helper looks.
    var group: ByteString { ByteString(rawValue) }

    /// The tool whose helper looks in a group, nil if none does.
    init?(group: ByteString?) {
        guard let tool = LoginTool.allCases.first(where: { $0.group == group }) else {
            return nil
        }
        self = tool
    }

    /// The attributes of the item in which the tool's helper stores a login.
    ///
    /// - Parameters:
    ///   - what: A URL, or a host with or without port and path, which for git means https.
    ///   - account: The account; nil if none is given beside the URL.
    /// - Throws: ``Status/param`` for what can't be a host, and without an account where the tool needs
    ///   one.
    func attributes(
        _ what: String, account: String?
    ) throws(KeychainError) -> ItemAttributes {
        let name = try ItemName(what, account: account)
        let isURL = name.itemClass == .internetPassword
        guard let parts = isURL ? name.attributes : name.otherAttributes, parts.server != "",
            let server = parts.server, !server.bytes.contains(where: { $0 <= 0x20 })
        else {
            throw KeychainError(
                .param, "'\(what)' is not a host", hint: "for example https://example.com")
        }
        switch self {
        case .git: return try gitAttributes(parts, server)
        case .docker: return try dockerAttributes(parts, server)
        }
    }

    private func gitAttributes(
        _ parts: ItemAttributes, _ server: ByteString
    ) throws(KeychainError) -> ItemAttributes {
        let port = LoginTool.port(parts).map { ":\($0)" } ?? ""
        let request = GitCredentialRequest(
            protocol: parts.protocol?.scheme ?? "https",
            host: ByteString(server.bytes + port.utf8),
            path: parts.path?.isEmpty == true ? nil : parts.path, username: parts.account,
            password: Secret(""))
        // Without an expiry every moment is the same.
        guard let item = request?.item(at: Timestamp(secondsSinceEpoch: 0)) else {
            throw KeychainError(.param, "the URL or the account has a line break or a NUL in it")
        }
        return item.attributes
    }

    private func dockerAttributes(
        _ parts: ItemAttributes, _ server: ByteString
    ) throws(KeychainError) -> ItemAttributes {
        guard let account = parts.account, !account.isEmpty else {
            throw KeychainError(
                .param, "a docker login needs an account", hint: "name it behind the registry")
        }
        let url = DockerCredentialItem.serverURL(
            host: server, port: LoginTool.port(parts), path: parts.path ?? "")
        return try DockerCredentialItem(serverURL: url, username: account, secret: Secret(""))
            .attributes
    }

    private static func port(_ parts: ItemAttributes) -> UInt16? {
        parts.port == 0 ? nil : parts.port
    }
}
