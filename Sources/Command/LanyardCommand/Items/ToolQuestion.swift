internal import LanyardPrompting
internal import KeychainServices
internal import ToolCatalog
internal import ToolHelpers

/// Asks the user which tool a server's login is for: each uses a group of its own.
struct ToolQuestion {
    private let named: NamedItem
    private let keychain: KeychainOption

    init(_ named: NamedItem, _ keychain: KeychainOption) {
        self.named = named
        self.keychain = keychain
    }

    /// Asks if there is a terminal and a tool could use the name.
    ///
    /// - Returns: Nil for no tool.
    /// - Throws: ``Status/userCanceled`` after three invalid answers, and what asking throws.
    func ask() throws(KeychainError) -> ToolFormat? {
        guard let host, canAskAtTerminal(), try !isStoredForNoTool() else {
            return nil
        }
        let likely = likelyTool ?? toolWithLogin(at: host)
        guard isURL || likely != nil else {
            return nil
        }
        let names = tools.map(\.name)
        let preferred = names.firstIndex { $0 == likely?.name } ?? names.count
        let chosen = try askForChoice(
            "is this login for \(names.joined(separator: ", ")) or another program?",
            among: (names + ["other"]).map { Choice($0) }, preferred: preferred,
            next: "the secret", hint: "choose with --for or --group")
        return chosen < names.count ? tools[chosen] : nil
    }

    /// The tool that uses hosts with such a name, or for ssh a login without a path.
    var likelyTool: ToolFormat? {
        guard isSSH else {
            return host.flatMap { ToolFormat(host: $0) }
        }
        let isLogin = name?.attributes.account != nil && name?.attributes.path?.isEmpty != false
        return isLogin ? tools.first { $0.name == "askpass" } : nil
    }

    /// The tools that a URL may be for. Others, such as kubectl, have no typical hosts: --for chooses them. By ssh it is
    /// the password that ssh asks for, or the token of a registry's index: git asks no helper there.
    private var tools: [ToolFormat] {
        ToolFormat.all.filter {
            isSSH
                ? ["askpass", "cargo"].contains($0.name) : $0.isForServers && !$0.hosts.isEmpty
        }
    }

    private var isSSH: Bool { name?.attributes.protocol == .ssh }

    private var name: ItemName? { try? named.name() }

    private var isURL: Bool {
        let scheme = name?.attributes.protocol
        return scheme == .https || scheme == .http || isSSH
    }

    /// The host in a web URL or in a bare name.
    private var host: ByteString? {
        guard let name else {
            return nil
        }
        return isURL ? name.attributes.server : name.otherAttributes?.server
    }

    /// Whether such an item exists for no tool, and gets another secret.
    private func isStoredForNoTool() throws(KeychainError) -> Bool {
        guard let name else {
            return false
        }
        var attributes = name.attributes
        attributes.accessGroup = "login"
        return try keychain.keychain().firstMatch(
            of: Query(identityOf: attributes, name.itemClass)) != nil
    }

    /// Returns the tool with a login for a host.
    private func toolWithLogin(at host: ByteString) -> ToolFormat? {
        let keychain = try? keychain.keychain()
        return tools.first { tool in
            var attributes = ItemAttributes()
            attributes.accessGroup = tool.accessGroup
            attributes.server = host
            let query = Query(.internetPassword, attributes)
            return (try? keychain?.firstMatch(of: query) != nil) ?? false
        }
    }
}
