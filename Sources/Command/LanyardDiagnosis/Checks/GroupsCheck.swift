internal import KeychainServices
internal import OneTimeCodes
internal import ToolCatalog
internal import ToolHelpers
internal import ToolSetup

/// Finds logins in a group that their tool's helper does not use, for example after `lanyard set`.
struct GroupsCheck: Check {
    static let name = "groups of logins"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        let tools = ToolFormat.all.filter { context.isInstalled($0) }
        guard !tools.isEmpty else {
            return []
        }
        let hosts = HostsInUse(context)
        var logins: [Login] = []
        var served: Set<Served> = []
        context.forEachItem(returns: .attributes) { item, keychain in
            // Keys of one-time codes have the names of logins, and are none.
            guard let attributes = item.attributes, let server = attributes.server,
                attributes.accessGroup != .codeGroup
            else {
                return
            }
            let host = server.lowercasedASCII
            if let tool = ToolFormat(group: attributes.accessGroup) {
                served.insert(Served(tool: tool.name, host: host))
            } else if let tool = hosts.tool(of: attributes, host), context.isInstalled(tool) {
                logins.append(
                    Login(tool: tool, host: host, attributes: attributes, keychain: keychain))
            }
        }
        // A tool with a login for the host needs no other.
        return logins.filter { !served.contains($0.served) }.map(\.finding)
    }

    /// A host that a tool has a login for.
    private struct Served: Hashable {
        let tool: String
        let host: ByteString
    }

    private struct Login {
        let tool: ToolFormat
        let host: ByteString
        let attributes: ItemAttributes
        let keychain: SealedKeychain

        var served: Served { Served(tool: tool.name, host: host) }

        var finding: Finding {
            let name = tool.name
            let group = (attributes.accessGroup ?? "").description
            let url = attributes.url
            let what: FindingText =
                "the login for '\(host: url)' is in the group '\(name: group)', but \(plain: name) looks in '\(plain: name)'"
            let account = attributes.account?.description ?? ""
            guard !account.isEmpty || !tool.needsAccount else {
                return Finding(
                    .loginInOtherGroup, what,
                    advice:
                        "store it with its account: lanyard set --for \(plain: name) URL ACCOUNT")
            }
            let item: FindingText =
                account.isEmpty
                ? "\(hostArgument: url)" : "\(hostArgument: url) \(nameArgument: account)"
            // Copied, because other programs use the original.
            let get: FindingText =
                "lanyard get --group \(nameArgument: group)\(keychain.option) \(item)"
            return Finding(
                .loginInOtherGroup, what,
                command:
                    "\(get) | lanyard set --stdin --for \(plain: name)\(keychain.option) \(item)")
        }
    }
}

/// Hosts that tools with a setup are known to use.
private struct HostsInUse {
    private var hosts: [(tool: ToolFormat, hosts: Set<ByteString>)] = []

    init(_ context: DiagnosisContext) {
        if let git = Tool.git.format, context.isInstalled(git) {
            hosts.append((git, context.remoteHosts()))
        }
        if let docker = Tool.docker.format, context.isInstalled(docker) {
            hosts.append((docker, context.registryHosts()))
        }
    }

    /// Returns the likely tool for an item outside of the tools' groups.
    func tool(of attributes: ItemAttributes, _ host: ByteString) -> ToolFormat? {
        guard [nil, .https, .http].contains(attributes.protocol), attributes.isNegative != true
        else {
            return nil
        }
        if let tool = ToolFormat(misspeltGroup: attributes.accessGroup ?? "") {
            return tool
        }
        if let used = hosts.first(where: { $0.hosts.contains(host) }) {
            return used.tool
        }
        // A login for a page on such a host is a browser's.
        return attributes.path?.isEmpty == false ? nil : ToolFormat(host: host)
    }
}

extension DiagnosisContext {
    fileprivate func isInstalled(_ tool: ToolFormat) -> Bool {
        programs.contains { tool.programs.contains($0.name.rawValue) }
    }

    /// Returns the hosts of the remotes of the repository in the current folder.
    fileprivate func remoteHosts() -> Set<ByteString> {
        let remotes = (try? GitConfiguration(environment))?.remotes ?? []
        let urls = remotes.map(\.url).filter {
            $0.hasPrefix("https://") || $0.hasPrefix("http://")
        }
        return Set(urls.compactMap(host))
    }

    /// Returns the registries in docker's configuration.
    fileprivate func registryHosts() -> Set<ByteString> {
        guard let path = try? DockerSetup(environment: environment).file(),
            let text = try? DockerConfigText(try TargetFile(path).bytes ?? "", path: path)
        else {
            return []
        }
        return Set(text.registries.compactMap(host))
    }

    /// Returns the host in a URL, or in a name without a scheme; nil without one.
    private func host(of url: String) -> ByteString? {
        let bytes = Array(url.utf8)
        let host = ByteString(Array(bytes[URLParts(bytes.span).host])).lowercasedASCII
        return host.isEmpty ? nil : host
    }
}

extension ItemAttributes {
    /// The URL by which `lanyard` finds the login of a host, possibly without a scheme.
    fileprivate var url: String {
        let scheme = `protocol`?.scheme.map { "\($0)://" } ?? ""
        let port = port.flatMap { $0 == 0 ? nil : ":\($0)" } ?? ""
        let path = path.flatMap { $0.isEmpty ? nil : $0.description } ?? ""
        let slash = path.isEmpty || path.hasPrefix("/") ? "" : "/"
        return "\(scheme)\(server ?? "")\(port)\(slash)\(path)"
    }
}
