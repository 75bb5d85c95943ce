internal import GitCredential
internal import KeychainServices

/// git's logins that have expired. Those in a locked keychain can't be looked at.
struct LoginsCheck: Check {
    static let name = "git's logins"

    func findings(_ context: DiagnosisContext) async -> [Finding] {
        var findings: [Finding] = []
        context.forEachItem(group: "git", returns: [.attributes, .data]) { item, _ in
            guard let attributes = item.attributes, let server = attributes.server else {
                return
            }
            let hasEnded =
                switch item.secret {
                case .some(let secret): GitCredential.hasEnded(stored: secret, at: context.now)
                case .none: false
                }
            if hasEnded {
                findings.append(LoginsCheck.finding(attributes, server))
            }
        }
        return findings
    }

    private static func finding(
        _ attributes: ItemAttributes, _ server: ByteString
    ) -> Finding {
        let scheme = attributes.protocol == .http ? "http" : "https"
        var url = "\(scheme)://\(server)"
        if let port = attributes.port, port != 0 {
            url += ":\(port)"
        }
        if let path = attributes.path, !path.isEmpty {
            url += "/\(path)"
        }
        // Removing it would lose a token by which another helper renews it.
        return Finding(
            .gitLoginExpired, "the login for '\(host: url)' has expired",
            advice: "log in again: git then stores the new password in its place")
    }
}
