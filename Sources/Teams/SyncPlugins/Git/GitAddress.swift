internal import LanyardSecrets

/// The address of a git repository, as git takes it.
struct GitAddress: Sendable {
    let text: String

    /// Checks an address.
    ///
    /// - Throws: ``Status/param`` for one that git should not get from us.
    init(_ text: String) throws(KeychainError) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), !text.hasPrefix("-"), !text.isEmpty
        else {
            throw KeychainError(.param, "invalid address of a git repository")
        }
        self.text = text
        if let separator = text.firstRange(of: "://") {
            try GitAddress.check(text[..<separator.lowerBound], text[separator.upperBound...])
        } else if !text.hasPrefix("/") {
            // ada@example.com:team.git, and no `helper::address`.
            let host = text.prefix { $0 != ":" }
            let path = text.dropFirst(host.count + 1)
            guard !host.isEmpty, !host.contains("/"), !path.isEmpty, !path.hasPrefix(":") else {
                throw KeychainError(
                    .param, "'\(text)' is no address of a git repository",
                    hint: "use https://HOST/PATH, ssh://HOST/PATH or an absolute path")
            }
        }
    }

    /// Whether git works on the repository's files itself.
    var isOnThisMachine: Bool { text.hasPrefix("/") || text.hasPrefix("file://") }

    /// The command that stores a login for git; nil where git uses no password.
    var loginCommand: String? {
        guard text.hasPrefix("http"), let start = text.firstRange(of: "://")?.upperBound else {
            return nil
        }
        let authority = text[start...].prefix { $0 != "/" }
        let account = authority.contains("@") ? "" : "ACCOUNT@"
        return "lanyard set --group git \(text[..<start])\(account)\(authority)"
    }

    private static func check(
        _ scheme: Substring, _ rest: Substring
    ) throws(KeychainError) {
        switch scheme {
        case "https", "ssh", "file": break
        case "http":
            let authority = rest.prefix { $0 != "/" }
            let host = authority.split(separator: "@").last?.prefix { $0 != ":" } ?? ""
            guard SyncAddress.isLoopback(String(host)) else {
                throw KeychainError(
                    .param, "http sends the login in plain text", hint: "use https://\(rest)")
            }
        default:
            throw KeychainError(
                .param, "git repositories with \(scheme):// can't be used",
                hint: "use https://HOST/PATH, ssh://HOST/PATH or an absolute path")
        }
    }
}
