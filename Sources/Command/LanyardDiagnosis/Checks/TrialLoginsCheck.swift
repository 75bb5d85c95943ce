internal import KeychainServices
internal import ToolHelpers
internal import ToolSetup

/// Finds trial logins that a setup could not remove.
struct TrialLoginsCheck: Check {
    static let name = "made-up logins"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        var findings: [Finding] = []
        for tool in ToolFormat.all {
            context.forEachItem(group: tool.accessGroup, returns: .attributes) { item, keychain in
                guard let attributes = item.attributes, let server = attributes.server,
                    TrialLogin.isLeftBehind(attributes, at: context.now)
                else {
                    return
                }
                let account = (attributes.account ?? "").description
                let item: FindingText =
                    "\(hostArgument: "https://\(server)") \(nameArgument: account)"
                findings.append(
                    Finding(
                        .trialLoginLeft,
                        "an interrupted setup left its made-up login for '\(host: server.description)'",
                        command:
                            "lanyard remove --group \(plain: tool.name)\(keychain.option) \(item)"
                    ))
            }
        }
        return findings
    }
}
