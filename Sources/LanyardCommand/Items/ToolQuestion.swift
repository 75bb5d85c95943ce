internal import Diagnosis
internal import Prompting
internal import KeychainServices

/// Asks a person for which tool a login is that is set by hand: git and docker look in groups of their
/// own.
struct ToolQuestion {
    private let named: NamedItem
    private let keychain: KeychainOption

    init(_ named: NamedItem, _ keychain: KeychainOption) {
        self.named = named
        self.keychain = keychain
    }

    /// Asks, if there is a terminal and the name is one that a tool could use.
    ///
    /// - Returns: Nil for no tool.
    /// - Throws: ``Status/userCanceled`` for an answer that is none; what asking throws.
    func ask() throws(KeychainError) -> LoginTool? {
        guard let host, canAskAtTerminal(), try !isStoredForNoTool() else {
            return nil
        }
        let likely = likelyTool ?? toolWithLogin(at: host)
        guard isURL || likely != nil else {
            return nil
        }
        let choices =
            LoginTool.allCases.map { choice($0.rawValue, isDefault: $0 == likely) }
            + [choice("other", isDefault: likely == nil)]
        let question = "is this login for git, docker or another program? "
        let answer = try askForAnswer(
            "\(question)[\(choices.joined(separator: "/"))] ", hint: "choose with --for or --group")
        guard !answer.isEmpty else {
            return likely
        }
        if let tool = LoginTool.allCases.first(where: { $0.rawValue.hasPrefix(answer) }) {
            return tool
        }
        guard "other".hasPrefix(answer) else {
            throw KeychainError(.userCanceled, "nothing was changed")
        }
        return nil
    }

    /// The tool that uses hosts of such a name.
    var likelyTool: LoginTool? {
        host.flatMap { HostTool(host: $0) }.flatMap { LoginTool(rawValue: $0.rawValue) }
    }

    private func choice(_ word: String, isDefault: Bool) -> String {
        isDefault ? word.uppercased() : word
    }

    private var name: ItemName? { try? named.name() }

    private var isURL: Bool {
        let scheme = name?.attributes.protocol
        return scheme == .https || scheme == .http
    }

    /// The host that is named, in a URL of the web or alone.
    private var host: ByteString? {
        guard let name else {
            return nil
        }
        return isURL ? name.attributes.server : name.otherAttributes?.server
    }

    /// Whether there is such an item already that is for no tool: it is to get another secret.
    private func isStoredForNoTool() throws(KeychainError) -> Bool {
        guard let name else {
            return false
        }
        var attributes = name.attributes
        attributes.accessGroup = "login"
        var isThere = false
        try keychain.keychain().forEachMatch(Query(identityOf: attributes, name.itemClass)) { _ in
            isThere = true
            return .stop
        }
        return isThere
    }

    /// The tool that has a login at a host.
    private func toolWithLogin(at host: ByteString) -> LoginTool? {
        let keychain = try? keychain.keychain()
        return LoginTool.allCases.first { tool in
            var attributes = ItemAttributes()
            attributes.accessGroup = tool.group
            attributes.server = host
            var hasLogin = false
            try? keychain?.forEachMatch(Query(.internetPassword, attributes)) { _ in
                hasLogin = true
                return .stop
            }
            return hasLogin
        }
    }
}
