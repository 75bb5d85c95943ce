internal import Prompting
internal import KeychainServices
internal import Tools

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
    /// - Throws: ``Status/userCanceled`` after three invalid answers; what asking throws.
    func ask() throws(KeychainError) -> ToolFormat? {
        guard let host, canAskAtTerminal(), try !isStoredForNoTool() else {
            return nil
        }
        let likely = likelyTool ?? toolWithLogin(at: host)
        guard isURL || likely != nil else {
            return nil
        }
        let choices =
            ToolQuestion.tools.map { choice($0.name, isDefault: $0.name == likely?.name) }
            + [choice("other", isDefault: likely == nil)]
        let names = ToolQuestion.tools.map(\.name).joined(separator: ", ")
        let question = "is this login for \(names) or another program? "
        for _ in 1...3 {
            let answer = try askForAnswer(
                "\(question)[\(choices.joined(separator: "/"))] ",
                hint: "choose with --for or --group")
            guard !answer.isEmpty else {
                return likely
            }
            if let tool = ToolQuestion.tools.first(where: { $0.name.hasPrefix(answer) }) {
                return tool
            }
            if "other".hasPrefix(answer) {
                return nil
            }
            // It may be the password, which is asked for next: no message repeats it.
            printError(KeychainError(.param, "answer \(names) or other; the secret comes next"))
        }
        throw KeychainError(
            .userCanceled, "nothing was changed", hint: "choose with --for or --group")
    }

    /// The tool that uses hosts with such a name.
    var likelyTool: ToolFormat? { host.flatMap { ToolFormat(host: $0) } }

    /// Others, such as kubectl, have no typical hosts: --for chooses them.
    private static let tools = ToolFormat.all.filter { $0.isForServers && !$0.hosts.isEmpty }

    private func choice(_ word: String, isDefault: Bool) -> String {
        isDefault ? word.uppercased() : word
    }

    private var name: ItemName? { try? named.name() }

    private var isURL: Bool {
        let scheme = name?.attributes.protocol
        return scheme == .https || scheme == .http
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
        return ToolQuestion.tools.first { tool in
            var attributes = ItemAttributes()
            attributes.accessGroup = tool.accessGroup
            attributes.server = host
            let query = Query(.internetPassword, attributes)
            return (try? keychain?.firstMatch(of: query) != nil) ?? false
        }
    }
}
