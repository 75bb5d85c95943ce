internal import KeychainServices
internal import ToolSetup

// The commands that set a tool up. They copy its current logins to the keychain first, which makes them
// available afterwards.
extension DiagnosisContext {
    /// Returns the command that sets git up.
    func setupGit() -> FindingText {
        LoginsToCopy.ofGit(environment).copying(before: "lanyard setup git")
    }

    /// Returns the command that sets docker, podman, skopeo and buildah up, all at once.
    func setupDocker() -> FindingText {
        let logins = (try? LoginsToCopy.ofDocker(environment)) ?? []
        return logins.copying(before: "lanyard setup docker")
    }
}

extension [LoginsToCopy] {
    /// Returns a command after those that copy these logins; it runs only if all copies succeed.
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
