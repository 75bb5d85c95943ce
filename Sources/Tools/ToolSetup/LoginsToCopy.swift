package import KeychainServices

/// A source of logins that a tool uses today but not after the setup: Lanyard copies them to the keychain
/// first.
package enum LoginsToCopy: Hashable, Sendable {
    /// A plain-text file with logins.
    case file(PlainTextLeftover.Kind, path: String)
    /// A program `docker-credential-NAME`.
    case dockerHelper(String)

    /// Returns the files of git's helper `store`, if git is configured to use it.
    package static func ofGit(_ environment: SetupEnvironment) -> [LoginsToCopy] {
        let git = GitProgram(environment: environment)
        let entries = (try? git.configuration()) ?? []
        let displaced = GitHelperChain(entries.compactMap(GitHelper.init)).displaced
        return unique(displaced.flatMap { ofStore($0, environment) })
    }

    /// Returns the files of one helper `store` that contain logins.
    package static func ofStore(
        _ helper: GitHelper, _ environment: SetupEnvironment
    ) -> [LoginsToCopy] {
        let files = (try? PlainTextLogins.files(of: helper, environment)) ?? []
        return files.filter { PlainTextLogins.lines($0) > 0 }
            .map { .file(.gitCredentials, path: $0) }
    }

    /// Returns the files and helpers of docker, podman, skopeo and buildah.
    package static func ofDocker(_ environment: SetupEnvironment) throws(KeychainError)
        -> [LoginsToCopy]
    {
        var found: [LoginsToCopy] = []
        let path = try DockerSetup(environment: environment).file()
        // docker itself fails on a broken file; the others go on without it.
        let bytes = try TargetFile(path).bytes ?? ""
        if let docker = try? DockerConfigText(bytes, path: path), !docker.isSetUp {
            found += docker.store.map { helpers([$0], environment) } ?? files([path])
        }
        let installed = ["podman", "skopeo", "buildah"].contains(where: environment.finds)
        let containers = ContainersSetup(environment: environment)
        if installed {
            let setting = try containers.settingInForce()
            if setting?.isLanyard != true {
                let names = setting?.helpers ?? ["containers-auth.json"]
                found += helpers(names, environment)
                if names.contains("containers-auth.json") {
                    // Without their own login, they read docker's file.
                    found += files(try containers.loginFiles() + [path])
                }
            }
        }
        return unique(found)
    }

    private static func helpers(
        _ names: [String], _ environment: SetupEnvironment
    ) -> [LoginsToCopy] {
        names.filter { $0 != "lanyard" && environment.finds("docker-credential-\($0)") }
            .map { .dockerHelper($0) }
    }

    private static func files(_ paths: [String]) -> [LoginsToCopy] {
        paths.filter { PlainTextLogins.registries($0) > 0 }
            .map { .file(.dockerConfig, path: $0) }
    }

    private static func unique(_ all: [LoginsToCopy]) -> [LoginsToCopy] {
        var unique: [LoginsToCopy] = []
        for logins in all where !unique.contains(logins) {
            unique.append(logins)
        }
        return unique
    }
}
