internal import KeychainServices
internal import ToolSetup

/// Checks the configuration of podman, skopeo and buildah.
struct ContainersCheck: Check {
    static let name = "podman's, skopeo's and buildah's configuration"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        guard context.has(.podman, .skopeo, .buildah), context.home != nil else {
            return []
        }
        let setup = ContainersSetup(environment: context.environment)
        guard let setting = try? setup.settingInForce() else {
            return [
                Finding(
                    .containersNotSetUp, "podman, skopeo and buildah don't use Lanyard yet",
                    command: context.setupDocker())
            ]
        }
        return setting.isLanyard ? unusedLogins(context) : [finding(setting, context)]
    }

    /// Finds logins for a path of a registry: the programs ask helpers for the registry alone, and get another login.
    private func unusedLogins(_ context: DiagnosisContext) -> [Finding] {
        struct Registry: Hashable {
            let server: ByteString
            let port: UInt16?
        }
        var logins: [Registry: [ByteString]] = [:]
        context.forEachItem(
            classes: [.internetPassword], group: ContainersSetup.accessGroup, returns: .attributes
        ) { item, _ in
            guard let attributes = item.attributes, let server = attributes.server else {
                return
            }
            let registry = Registry(server: server.lowercasedASCII, port: attributes.port)
            logins[registry, default: []].append(attributes.path ?? "")
        }
        let findings = logins.flatMap { registry, paths in
            paths.filter { paths.count > 1 && ContainersSetup.isPath($0) }.map { path in
                let name = path.description.split(separator: "/").joined(separator: "/")
                return Finding(
                    .containersPathUnused,
                    "podman, skopeo and buildah ask for '\(host: registry.server.description)' alone,"
                        + " never for '\(host: "\(registry.server)/\(name)")'",
                    advice: "name its account: --creds ACCOUNT asks for the password")
            }
        }
        return findings.sorted { $0.what.full < $1.what.full }
    }

    private func finding(
        _ setting: ContainersSetup.Setting, _ context: DiagnosisContext
    ) -> Finding {
        let what: FindingText =
            "'\(path: setting.path)' names credential-helpers other than lanyard"
        // The setup must not overrule a drop-in after its own.
        let isOverruled = (setting.path.split(separator: "/").last ?? "") < "zz-lanyard.conf"
        return isOverruled
            ? Finding(.containersOtherHelper, what, command: context.setupDocker())
            : Finding(.containersOtherHelper, what, advice: "remove its line 'credential-helpers'")
    }
}
