internal import KeychainServices
internal import PlainTextFormats

/// A file of kubectl's with clusters, contexts and users, changed line by line.
///
/// The corresponding type is Config of k8s.io/client-go/tools/clientcmd/api/v1.
struct Kubeconfig {
    /// What a user logs in with.
    enum Login: Equatable {
        case none
        case token(FileBytes)
        /// A certificate and its private key, PEM in Base64.
        case certificate(FileBytes, key: FileBytes)
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

    /// All keys of a user's login but that of a program.
    static let loginKeys = plainKeys + otherKeys

    /// The keys whose value is the path of another file.
    static let pathKeys = ["tokenFile", "client-certificate", "client-key"]

    private let yaml: KubernetesFile
    /// The names of the users, and the lines where they begin, from 0.
    let places: [(name: String?, line: Int)]
    private let usersByName: [String?: [YAMLNode]]
    /// The addresses of the clusters that each user logs in to.
    private let servers: [String: Set<String>]

    /// Parses a file.
    ///
    /// - Parameter isForReading: Whether no line will be changed, so users may also be in braces, as in JSON.
    /// - Throws: ``Status/decode`` for no YAML, for what is not read of it, and for a key that is there twice.
    init(_ bytes: FileBytes, isForReading: Bool = false) throws(KeychainError) {
        yaml = try KubernetesFile(bytes)
        for node in [yaml.root, yaml.root["users"]] {
            if let node, node.isFlow, node.whole.count > 2, !isForReading {
                throw KeychainError(
                    .decode, "its users are in braces or brackets",
                    hint:
                        "kubectl config view --raw --kubeconfig FILE > NEW writes it as kubectl does"
                )
            }
        }
        let items = yaml.root["users"]?.items ?? []
        places = items.map { ($0["name"]?.name, $0.line) }
        usersByName = Dictionary(grouping: items) { $0["name"]?.name }
        servers = Kubeconfig.servers(yaml.root)
    }

    private static func servers(_ root: YAMLNode) -> [String: Set<String>] {
        // Of two clusters with a name kubectl takes the first one.
        let addresses = Dictionary(
            (root["clusters"]?.items ?? []).map {
                ($0["name"]?.name, $0["cluster"]?["server"]?.name)
            }, uniquingKeysWith: { first, _ in first })
        var servers: [String: Set<String>] = [:]
        for context in root["contexts"]?.items ?? [] {
            if let user = context["context"]?["user"]?.name,
                let server = addresses[context["context"]?["cluster"]?.name]?.flatMap(\.self)
            {
                servers[user, default: []].insert(server)
            }
        }
        return servers
    }

    /// The names of the users.
    var users: [String] { places.compactMap(\.name) }

    /// The user of the current context.
    var currentUser: String? {
        let name = yaml.root["current-context"]?.name
        let contexts = yaml.root["contexts"]?.items ?? []
        return contexts.first { $0["name"]?.name == name }?["context"]?["user"]?.name
    }

    /// Returns the addresses of the clusters that a user logs in to.
    func servers(of user: String) -> Set<String> { servers[user] ?? [] }

    /// Returns the entry `user` of a user, nil without one.
    private func user(_ name: String) -> YAMLNode.Entry? {
        let users = usersByName[name] ?? []
        return users.count == 1 ? users[0].entry("user") : nil
    }

    /// Returns what a user logs in with, nil if there is no such user, or more than one.
    ///
    /// - Parameter isForReading: Whether the file won't be changed, so a login may also be in braces.
    func login(of name: String, isForReading: Bool = false) -> Login? {
        guard let user = user(name) else {
            return nil
        }
        if let program = user.node["exec"] {
            return .program(program["command"]?.name ?? "")
        }
        guard isForReading || !user.node.isFlow || user.node.entries.isEmpty else {
            return .other("login in braces")
        }
        guard isForReading || yaml.lines[user.lines.lowerBound].contains(Kubeconfig.userKey) else {
            return .other("user in quotation marks")
        }
        if let other = Kubeconfig.otherKeys.first(where: { user.node[$0] != nil }) {
            return .other(other)
        }
        if user.node.isUnread || usersByName[name]?.first?.isUnread == true
            || (Kubeconfig.plainKeys + ["<<"]).contains(where: {
                user.node[$0]?.isUnread == true
            })
        {
            return .other("login of another form")
        }
        let values = Kubeconfig.plainKeys.map { user.node[$0]?.scalar }
        switch (values[0], values[1], values[2]) {
        case (nil, nil, nil): return Login.none
        case (let token?, nil, nil): return .token(token)
        case (nil, let certificate?, let key?): return .certificate(certificate, key: key)
        default: return .other("token with a certificate")
        }
    }

    /// Returns the key of a secret that a user has besides another login, nil without one.
    func unusedSecret(of name: String) -> String? {
        ["token", "client-key-data"].first { key in
            let value = user(name)?.node[key]
            return value?.isUnread == true || value?.scalar?.isEmpty == false
        }
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
    func replacingLogin(of name: String, with exec: [String]) -> FileBytes {
        changed(user(name), removing: Kubeconfig.plainKeys, adding: exec)
    }

    /// Returns the bytes without a user's login, be it plain or a program.
    func removingLogin(of name: String) -> FileBytes {
        changed(user(name), removing: Kubeconfig.plainKeys + ["exec"], adding: [])
    }

    private func changed(
        _ user: YAMLNode.Entry?, removing keys: [String], adding added: [String]
    ) -> FileBytes {
        guard let user else {
            return yaml.file
        }
        let fields = user.node.entries
        let removed = fields.filter { keys.contains($0.key) }
        let column = fields.first?.column ?? user.column + 2
        let end = yaml.lines[user.lines.lowerBound].last == 0x0D ? "\r" : ""
        let indented = added.map { FileBytes(String(repeating: " ", count: column) + $0 + end) }
        let place = removed.first?.lines.lowerBound ?? user.lines.lowerBound + 1
        var lines: [FileBytes] = []
        for (number, line) in yaml.lines.enumerated() {
            if number == place {
                lines += indented
            }
            if number == user.lines.lowerBound {
                lines.append(
                    withValue(
                        number, isEmpty: added.isEmpty && removed.count == fields.count))
            } else if !removed.contains(where: { $0.lines.contains(number) }) {
                lines.append(line)
            }
        }
        if place == yaml.lines.count {
            lines += indented
        }
        return FileBytes(joining: lines, separator: "\n")
    }

    /// Returns the line of the key `user` for an empty mapping, or for one that follows.
    private func withValue(_ number: Int, isEmpty: Bool) -> FileBytes {
        let line = yaml.lines[number]
        guard let key = line.firstRange(of: Kubeconfig.userKey), isEmpty || line.contains("{}".utf8)
        else {
            return line
        }
        let end = line.last == 0x0D ? "\r" : ""
        return FileBytes(joining: [
            line[..<key.upperBound], FileBytes((isEmpty ? " {}" : "") + end),
        ])
    }

    private static let userKey = "user:".utf8
}
