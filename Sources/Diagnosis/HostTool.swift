public import KeychainServices

/// Which tool's logins a host and a group are likely to be for: it looks in the group of its own name.
public enum HostTool: String, Sendable, CaseIterable {
    /// git.
    case git
    /// docker, podman, skopeo and buildah.
    case docker

    /// The group in which the tool's helper looks.
    public var group: ByteString { ByteString(rawValue) }

    /// The tool that uses a host; nil where the name says nothing of it.
    ///
    /// - Parameter host: Its name, without a port.
    public init?(host: ByteString) {
        let host = host.lowercasedASCII.description
        let firstLabel = String(host.prefix { $0 != "." })
        let isName = host.contains(".")
        // A registry can be below a forge: registry.gitlab.com.
        for tool in [HostTool.docker, .git] {
            let isKnown =
                tool.hosts.contains(host)
                || tool.domains.contains { host.hasSuffix(".\($0)") }
                || isName && tool.firstLabels.contains(firstLabel)
            if isKnown {
                self = tool
                return
            }
        }
        return nil
    }

    /// The tool whose group a group's name is with one typing error or in capitals; nil for the very
    /// name, too.
    public init?(misspeltGroup group: ByteString) {
        let typed = Array(group.lowercasedASCII.bytes)
        let meant = HostTool.allCases.first { tool in
            tool.group != group && HostTool.isOneSlip(typed, Array(tool.rawValue.utf8))
        }
        guard let meant else {
            return nil
        }
        self = meant
    }

    private var hosts: Set<String> {
        switch self {
        case .git:
            [
                "github.com", "gist.github.com", "gitlab.com", "bitbucket.org", "codeberg.org",
                "dev.azure.com", "gitea.com",
            ]
        case .docker:
            [
                "docker.io", "index.docker.io", "registry-1.docker.io", "ghcr.io", "quay.io",
                "gcr.io",
            ]
        }
    }

    private var domains: [String] {
        switch self {
        case .git: ["visualstudio.com"]
        case .docker: ["gcr.io", "pkg.dev", "azurecr.io"]
        }
    }

    private var firstLabels: Set<String> {
        switch self {
        case .git: ["git", "github", "gitlab", "gitea", "forgejo", "bitbucket", "gerrit"]
        case .docker: ["registry", "docker"]
        }
    }

    /// Whether one sign more, less or another one, or two that changed places, make one of the other.
    private static func isOneSlip(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one != other else {
            return true
        }
        let start = zip(one, other).prefix { $0 == $1 }.count
        let end = zip(one.dropFirst(start).reversed(), other.dropFirst(start).reversed())
            .prefix { $0 == $1 }.count
        let middle = one.dropFirst(start).dropLast(end)
        let others = other.dropFirst(start).dropLast(end)
        return middle.count <= 1 && others.count <= 1
            || middle.count == 2 && middle.elementsEqual(others.reversed())
    }
}
