internal import GitCredential
internal import KeychainServices
internal import ToolSetup

/// Finds hosts with several git accounts, and the one that git gets; and remotes of an account without a login.
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
            + ["url", "pushurl"].flatMap { variable in
                configuration.remotes(variable).compactMap {
                    GitAccountsCheck.unknownAccount($0, variable, items)
                }
            }
    }

    /// Returns a finding about a remote whose URL names an account without a login, if other accounts have one.
    ///
    /// - Parameter variable: `url` or `pushurl`.
    static func unknownAccount(
        _ remote: GitConfiguration.Remote, _ variable: String, _ items: [ItemAttributes]
    ) -> Finding? {
        var hosts: [String: [String]] = [:]
        for item in items {
            if let host = url(item) {
                hosts[host, default: []].append((item.account ?? "").description)
            }
        }
        for (host, accounts) in hosts {
            guard let named = GitAccountsCheck.remote(remote, of: host),
                let account = named.account,
                // A login without an account is for any.
                !accounts.contains(account), !accounts.contains("")
            else {
                continue
            }
            let others = names(accounts).sorted()
            var listed = others.prefix(5).map { "'\(name: $0)'" as FindingText }
            listed += others.count > 5 ? ["…"] : []
            let push = variable == "pushurl" ? " --push" : ""
            return Finding(
                .gitUnknownAccount,
                "the remote '\(name: named.name)' names the account '\(name: account)' of '\(host: host)',"
                    + " which has only " + listed.dropFirst().reduce(listed[0]) { $0 + ", " + $1 },
                advice: "log in as '\(name: account)', or name another account: git remote set-url"
                    + "\(plain: push) \(nameArgument: named.name) \(host: withAccount(host) + named.path)"
            )
        }
        return nil
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
        guard let unnamed = remotes.first(where: { $0.account == nil }) else {
            return remotes.isEmpty
                ? Finding(
                    .gitSeveralAccounts, what,
                    advice: "name another account in the URL: \(host: withAccount(host.url))/…")
                : nil
        }
        return Finding(
            .gitSeveralAccounts, what,
            advice: "if you want another account here: git remote set-url"
                + " \(nameArgument: unnamed.name) \(host: withAccount(host.url) + unnamed.path)")
    }

    /// Returns a remote on a host: its name, the part of its URL after the host, and the account that it names.
    static func remote(
        _ remote: GitConfiguration.Remote, of host: String
    ) -> (name: String, path: String, account: String?)? {
        let url = remote.url
        guard let start = url.firstRange(of: "://")?.upperBound else {
            return nil
        }
        let authority = url[start...].prefix { $0 != "/" }
        let end = authority.lastIndex(of: "@")
        let place = end.map { authority[authority.index(after: $0)...] }
        guard url[..<start] + (place ?? authority) == host[...] else {
            return nil
        }
        let user = end.map { Array(authority[..<$0].utf8) }
        let account = user.map { ByteString($0.span.percentDecoded ?? $0).description }
        return (remote.name, String(url[authority.endIndex...]), account)
    }

    private static func withAccount(_ url: String) -> String {
        url.replacing("://", with: "://ACCOUNT@")
    }
}
