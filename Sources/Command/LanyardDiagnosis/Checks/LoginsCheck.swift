internal import KeychainServices
internal import ToolHelpers

/// Finds expired logins, except in a locked keychain.
struct LoginsCheck: Check {
    static let name = "git's logins"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        var findings: [Finding] = []
        for tool in ToolFormat.all {
            guard let expiry = tool.expiry else {
                continue
            }
            context.forEachItem(group: tool.accessGroup, returns: [.attributes, .data]) { item, _ in
                guard let attributes = item.attributes, let server = attributes.server else {
                    return
                }
                let hasEnded =
                    switch item.secret {
                    case .some(let secret): expiry.hasEnded(secret, context.now)
                    case .none: false
                    }
                if hasEnded {
                    findings.append(LoginsCheck.finding(attributes, server, of: tool))
                }
            }
        }
        return findings
    }

    private static func finding(
        _ attributes: ItemAttributes, _ server: ByteString, of tool: ToolFormat
    ) -> Finding {
        let scheme = attributes.protocol == .http ? "http" : "https"
        var url = "\(scheme)://\(server)"
        if let port = attributes.port, port != 0 {
            url += ":\(port)"
        }
        if let path = attributes.path, !path.isEmpty {
            url += "/\(path)"
        }
        // Removing it would lose a token that another helper uses to renew it.
        return Finding(
            .gitLoginExpired, "the login for '\(host: url)' has expired",
            advice: "log in again, and \(plain: tool.name) stores the new password")
    }
}
