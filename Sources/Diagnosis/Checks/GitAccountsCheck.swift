internal import GitCredential
internal import KeychainServices
internal import ToolSetup

/// Finds hosts with several git accounts, and the one that git gets.
struct GitAccountsCheck: Check {
    static let name = "git's accounts"

    /// A host's accounts, with the one that git gets first.
    private struct Host {
        let url: String
        var accounts: [String]
    }

    func findings(_ context: DiagnosisContext) -> [Finding] {
        guard context.has(.git),
            let configuration = try? GitConfiguration(context.environment)
        else {
            return []
        }
        return hosts(context).filter { $0.accounts.count > 1 }
            .compactMap { GitAccountsCheck.finding($0, configuration) }
    }

    private func hosts(_ context: DiagnosisContext) -> [Host] {
        var hosts: [Host] = []
        context.forEachItem(group: GitCredentialHelper.accessGroup, returns: .attributes) {
            item, _ in
            guard let attributes = item.attributes, let server = attributes.server,
                let account = attributes.account, !account.isEmpty
            else {
                return
            }
            let port = attributes.port ?? 0
            let url =
                "\(attributes.protocol == .http ? "http" : "https")://\(server)"
                + (port == 0 ? "" : ":\(port)")
            let name = account.description
            guard let index = hosts.firstIndex(where: { $0.url == url }) else {
                hosts.append(Host(url: url, accounts: [name]))
                return
            }
            if !hosts[index].accounts.contains(name) {
                hosts[index].accounts.append(name)
            }
        }
        return hosts
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
    private static func remote(
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
