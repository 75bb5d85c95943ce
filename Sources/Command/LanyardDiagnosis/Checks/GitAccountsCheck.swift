internal import GitCredential
internal import KeychainServices
internal import ToolSetup

/// Finds hosts with several git accounts, and the one that git gets.
struct GitAccountsCheck: GitCheck {
    static let name = "git's accounts"

    /// A host's accounts, with the one that git gets first.
    struct Host: Equatable {
        let url: String
        let accounts: [String]
    }

    func findings(_ context: DiagnosisContext) -> [Finding] {
        guard let configuration = try? GitConfiguration(context.environment) else {
            return []
        }
        var items: [ItemAttributes] = []
        context.forEachItem(group: GitCredentialHelper.accessGroup, returns: .attributes) {
            item, _ in
            items += [item.attributes].compactMap(\.self)
        }
        let hosts = GitAccountsCheck.hosts(items) { url in
            // git knows which of its settings is for the URL.
            let answer = try? ForeignProgram("git", context.environment).run(
                ["config", "--type=bool", "--get-urlmatch", "credential.useHttpPath", url])
            return answer?.output.elementsEqual("true\n".utf8) == true
        }
        return hosts.compactMap { GitAccountsCheck.finding($0, configuration) }
    }

    /// Returns the hosts with several accounts.
    ///
    /// - Parameter usesPath: Whether git wants a login for each path on a server: an account for a path is no other's rival
    ///   then.
    static func hosts(_ items: [ItemAttributes], usesPath: (String) -> Bool) -> [Host] {
        var hosts: [(url: String, logins: [(name: String, hasPath: Bool)])] = []
        for attributes in items {
            guard let url = url(attributes), let account = attributes.account, !account.isEmpty
            else {
                continue
            }
            let login = (account.description, !(attributes.path ?? "").isEmpty)
            if let index = hosts.firstIndex(where: { $0.url == url }) {
                hosts[index].logins.append(login)
            } else {
                hosts.append((url, [login]))
            }
        }
        return hosts.compactMap { url, logins in
            let all = names(logins.map(\.name))
            let rest = names(logins.filter { !$0.hasPath }.map(\.name))
            let isSplit = all.count > 1 && all.count != rest.count && usesPath(url)
            let accounts = isSplit ? rest : all
            return accounts.count > 1 ? Host(url: url, accounts: accounts) : nil
        }
    }

    /// Returns the URL of a login's host; nil for other protocols than git's.
    static func url(_ attributes: ItemAttributes) -> String? {
        guard let server = attributes.server, let scheme = scheme(attributes.protocol) else {
            return nil
        }
        let port = attributes.port ?? 0
        return "\(scheme)://\(server)" + (port == 0 ? "" : ":\(port)")
    }

    /// Returns the scheme of git's URLs, nil for other protocols: git's `sendemail` has logins for SMTP.
    private static func scheme(_ type: ProtocolType?) -> String? {
        switch type {
        case .http: "http"
        case .https: "https"
        default: nil
        }
    }

    /// Returns each name once, in their order.
    private static func names(_ all: [String]) -> [String] {
        var seen: Set<String> = []
        return all.filter { seen.insert($0).inserted }
    }

    /// Returns a finding; nil if the configuration, or each remote of the host, names an account.
    private static func finding(_ host: Host, _ configuration: GitConfiguration) -> Finding? {
        let names = ["credential.username", "credential.\(host.url).username"]
        guard
            !configuration.entries.contains(where: { entry in
                names.contains { entry.key.elementsEqual($0.utf8) }
            })
        else {
            return nil
        }
        let what: FindingText =
            "'\(host: host.url)' has \(host.accounts.count) accounts,"
            + " and git gets '\(name: host.accounts[0])'"
        let remotes = configuration.remotes.compactMap { remote($0, of: host.url) }
        guard let (name, path) = remotes.first(where: { !$0.isNamed }).map({ ($0.name, $0.path) })
        else {
            return remotes.isEmpty
                ? Finding(
                    .gitSeveralAccounts, what,
                    advice: "name another account in the URL: \(host: withAccount(host.url))/…")
                : nil
        }
        return Finding(
            .gitSeveralAccounts, what,
            advice: "if you want another one here: git remote set-url"
                + " \(nameArgument: name) \(host: withAccount(host.url) + path)")
    }

    /// Returns a remote on a host: its name, the part of its URL after the host, and whether that names an
    /// account.
    static func remote(
        _ remote: GitConfiguration.Remote, of host: String
    ) -> (name: String, path: String, isNamed: Bool)? {
        let url = remote.url
        guard let start = url.firstRange(of: "://")?.upperBound else {
            return nil
        }
        let authority = url[start...].prefix { $0 != "/" }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
        guard url[..<start] + (place ?? authority) == host[...] else {
            return nil
        }
        return (remote.name, String(url[authority.endIndex...]), place != nil)
    }

    private static func withAccount(_ url: String) -> String {
        url.replacing("://", with: "://ACCOUNT@")
    }
}
