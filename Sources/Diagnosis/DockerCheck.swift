internal import Keychain
internal import ToolSetup

/// docker's configuration.
struct DockerCheck: Check {
    static let name = "docker's configuration"

    func findings(_ context: DiagnosisContext) async -> [Finding] {
        guard context.has(.docker) else {
            return []
        }
        var findings: [Finding] = []
        if context.environment.value("DOCKER_AUTH_CONFIG") != nil {
            findings.append(
                Finding(
                    .dockerAuthVariable, "DOCKER_AUTH_CONFIG is set",
                    command: "unset DOCKER_AUTH_CONFIG"))
        }
        do throws(KeychainError) {
            let path = try DockerSetup(environment: context.environment).file()
            let text = try DockerConfigText(try TargetFile(path).bytes ?? [], path: path)
            findings += self.findings(text, path)
        } catch {
            findings.append(
                Finding(
                    .dockerConfigurationUnreadable, "\(said: error.reason)",
                    advice: "mend the file, or move it away"))
        }
        return findings
    }

    private func findings(_ text: DockerConfigText, _ path: String) -> [Finding] {
        let registries = text.registryHelpers.map { registry, helper in
            Finding(
                .dockerRegistryHelper,
                "the login for '\(host: registry)' is kept by '\(name: helper)' (\(path: path))",
                advice: "nothing has to be done if you mean it so")
        }
        guard !text.isSetUp else {
            return registries
        }
        guard let store = text.credsStore, store.count > 2, store.first == UInt8(ascii: "\"") else {
            return registries + [
                Finding(
                    .dockerNotSetUp, "docker's configuration '\(path: path)' names no helper",
                    command: "lanyard setup docker")
            ]
        }
        let name = String(decoding: store.dropFirst().dropLast(), as: UTF8.self)
        return registries + [
            Finding(
                .dockerOtherHelper, "docker keeps its logins in '\(name: name)' (\(path: path))",
                command: "lanyard setup docker")
        ]
    }
}
