internal import KeychainServices

/// A file of kubectl's with clusters, contexts and users, changed line by line.
///
/// The corresponding type is Config of k8s.io/client-go/tools/clientcmd/api/v1.
struct Kubeconfig {
    /// What a user logs in with.
    enum Login: Equatable {
        case none
        case token(YAMLScalar)
        /// A certificate and its private key, PEM in Base64.
        case certificate(YAMLScalar, key: YAMLScalar)
        /// A program, by its path or name.
        case program(String)
        /// Something that can't be moved: the key's name.
        case other(String)
    }

    /// The keys of a login that can be moved.
    private static let plainKeys = ["token", "client-certificate-data", "client-key-data"]
    private static let otherKeys = [
        "auth-provider", "tokenFile", "username", "password", "client-certificate", "client-key",
    ]

    private let yaml: YAMLBlocks

    /// Parses a file.
    ///
    /// - Throws: ``Status/decode`` for a form of YAML that kubectl does not write.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        try self.init(Secret(copying: bytes.span))
    }

    /// Parses a file.
    ///
    /// - Throws: As ``init(_:)``.
    init(_ file: consuming Secret) throws(KeychainError) {
        yaml = try YAMLBlocks(file)
    }

    /// The user of the current context.
    var currentUser: String? {
        let name = yaml.root["current-context"]?.name
        return contexts.first { $0["name"]?.name == name }?["context"]?["user"]?.name
    }

    private var contexts: [YAMLBlocks.Node] { yaml.root["contexts"]?.items ?? [] }

    /// Returns the addresses of the clusters that a user logs in to.
    func servers(of user: String) -> [String] {
        let clusters = yaml.root["clusters"]?.items ?? []
        var servers: [String] = []
        for context in contexts where context["context"]?["user"]?.name == user {
            let cluster = clusters.first {
                $0["name"]?.name == context["context"]?["cluster"]?.name
            }
            if let server = cluster?["cluster"]?["server"]?.name, !servers.contains(server) {
                servers.append(server)
            }
        }
        return servers
    }

    /// Returns the entry `user` of a user, nil without one.
    private func user(_ name: String) -> YAMLBlocks.Entry? {
        let users = (yaml.root["users"]?.items ?? []).filter { $0["name"]?.name == name }
        return users.count == 1 ? users[0].entry("user") : nil
    }

    /// Returns what a user logs in with, nil if there is no such user, or more than one.
    func login(of name: String) -> Login? {
        guard let user = user(name) else {
            return nil
        }
        if let program = user.node["exec"] {
            return .program(program["command"]?.name ?? "")
        }
        if case .flow(let login) = user.node, login.name != "{}" {
            return .other("login in braces")
        }
        guard yaml.end(of: "user:", inLine: user.lines.lowerBound) != nil else {
            return .other("user in quotation marks")
        }
        if let other = Kubeconfig.otherKeys.first(where: { user.node[$0] != nil }) {
            return .other(other)
        }
        let values = Kubeconfig.plainKeys.map { user.node[$0]?.scalar }
        switch (values[0], values[1], values[2]) {
        case (nil, nil, nil): return Login.none
        case (let token?, nil, nil): return .token(token)
        case (nil, let certificate?, let key?): return .certificate(certificate, key: key)
        default: return .other("token with a certificate")
        }
    }

    /// The names of the users.
    var users: [String] {
        (yaml.root["users"]?.items ?? []).compactMap { $0["name"]?.name }
    }

    /// The users with a login in plain text that can be moved.
    var plainUsers: [String] {
        users.filter { user in
            switch login(of: user) {
            case .token, .certificate: true
            default: false
            }
        }
    }

    /// Returns the path of our program, if it is a user's login.
    func program(of user: String) -> String? {
        guard case .program(let program) = login(of: user),
            program.lastPathComponent == KubectlSetup.helper
        else {
            return nil
        }
        return program
    }

    /// Returns the bytes with a program as a user's login, instead of a plain one.
    ///
    /// - Parameter exec: The lines of the program, as those of a mapping.
    func replacingLogin(of name: String, with exec: [String]) -> [UInt8] {
        yaml.bytes(changed(user(name), removing: Kubeconfig.plainKeys, adding: exec))
    }

    /// Returns the bytes without a user's login, be it plain or a program.
    func removingLogin(of name: String) -> [UInt8] {
        yaml.bytes(changed(user(name), removing: Kubeconfig.plainKeys + ["exec"], adding: []))
    }

    private func changed(
        _ user: YAMLBlocks.Entry?, removing keys: [String], adding added: [String]
    ) -> [YAMLBlocks.Line] {
        guard let user else {
            return yaml.lines.map { YAMLBlocks.Line(kept: $0) }
        }
        let fields = user.node.entries
        let removed = fields.filter { keys.contains($0.key) }
        let column = fields.first?.column ?? user.column + 2
        let indented = added.map {
            YAMLBlocks.Line(text: String(repeating: " ", count: column) + $0)
        }
        let place = removed.first?.lines.lowerBound ?? user.lines.lowerBound + 1
        var lines: [YAMLBlocks.Line] = []
        for (number, line) in yaml.lines.enumerated() {
            if number == place {
                lines += indented
            }
            if number == user.lines.lowerBound {
                lines.append(
                    withValue(
                        number, isEmpty: added.isEmpty && removed.count == fields.count))
            } else if !removed.contains(where: { $0.lines.contains(number) }) {
                lines.append(YAMLBlocks.Line(kept: line))
            }
        }
        if place == yaml.lines.count {
            lines += indented
        }
        return lines
    }

    /// Returns the line of the key `user` for an empty mapping, or for one that follows.
    private func withValue(_ number: Int, isEmpty: Bool) -> YAMLBlocks.Line {
        let line = yaml.lines[number]
        guard let end = yaml.end(of: "user:", inLine: number) else {
            return YAMLBlocks.Line(kept: line)
        }
        if isEmpty {
            return YAMLBlocks.Line(kept: line.lowerBound..<end, text: " {}")
        }
        let isReplaced = yaml.end(of: "{}", inLine: number) != nil
        return YAMLBlocks.Line(kept: isReplaced ? line.lowerBound..<end : line)
    }
}
