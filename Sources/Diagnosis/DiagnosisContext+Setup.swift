internal import KeychainServices
internal import ToolSetup

// The commands that set a tool up. What the tool finds today is copied into the keychain first, so that it
// finds it afterwards too.
extension DiagnosisContext {
    /// Sets git up.
    func setupGit() async -> FindingText {
        await LoginsToCopy.ofGit(environment).copying(before: "lanyard setup git")
    }

    /// Sets docker, podman, skopeo and buildah up: one setup is for all of them.
    func setupDocker() -> FindingText {
        let logins = (try? LoginsToCopy.ofDocker(environment)) ?? []
        return logins.copying(before: "lanyard setup docker")
    }
}

extension [LoginsToCopy] {
    /// A command after those that copy these logins. It is run only if all of them were copied.
    func copying(before command: FindingText) -> FindingText {
        reduce("") { line, logins in
            switch logins {
            case .file(let kind, let path):
                "\(line)lanyard import \(plain: kind.rawValue) \(quoted: path) && "
            case .dockerHelper(let name):
                "\(line)lanyard import docker-helper \(nameArgument: name) && "
            }
        } + command
    }
}
