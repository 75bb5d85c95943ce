package import KeychainServices
internal import LinuxSystem

/// Finds the existing files in which tools store plain-text logins by default.
extension SetupEnvironment {
    /// Returns the files of a source of `lanyard import` with a format of its own, in its search order; none of another
    /// source.
    ///
    /// - Throws: ``Status/param`` if HOME is not set to a home folder.
    package func files(ofImport name: String) throws(KeychainError) -> [String] {
        let paths: [String]
        switch name {
        case "aws":
            // aws takes keys in the first one before those in the other.
            paths = [
                try path("AWS_SHARED_CREDENTIALS_FILE", orInHome: ".aws/credentials"),
                try path("AWS_CONFIG_FILE", orInHome: ".aws/config"),
            ]
        case "cargo":
            // The file had a name without an ending, and still comes first.
            let folder = try path("CARGO_HOME", orInHome: ".cargo")
            paths = ["\(folder)/credentials", "\(folder)/credentials.toml"]
        case "docker-config": paths = try registryLoginPaths()
        case "git-credentials":
            paths = ["\(try home())/.git-credentials", "\(try configurations())/git/credentials"]
        case "gradle":
            let folder = try path("GRADLE_USER_HOME", orInHome: ".gradle")
            paths = ["\(folder)/gradle.properties"]
        case "kubectl": paths = [try KubectlSetup([], self).path()]
        case "netrc": paths = [value("NETRC"), "\(try home())/.netrc"].compactMap(\.self)
        case "npm": paths = [try path("NPM_CONFIG_USERCONFIG", orInHome: ".npmrc")]
        case "nuget":
            // Those of dotnet and of NuGet on Mono.
            let home = try home()
            paths = [
                "\(home)/.nuget/NuGet/NuGet.Config", "\(home)/.config/NuGet/NuGet.Config",
            ]
        case "pypirc": paths = ["\(try home())/.pypirc"]
        case "terraform":
            paths = try terraformLoginPaths()
        case "uv": paths = ["\(try uvCredentialsFolder())/credentials.toml"]
        case "vault": paths = ["\(try home())/.vault-token"]
        default: paths = []
        }
        return try SetupEnvironment.existing(paths)
    }

    /// Returns the configuration of terraform and tofu, which reads one of its own alone if that exists.
    func terraformPaths() throws(KeychainError) -> [String] {
        if let path = try path("TF_CLI_CONFIG_FILE") {
            return [path]
        }
        let home = try home()
        let openTofu = "\(home)/.tofurc"
        return ["\(home)/.terraformrc"] + (try PrivatePlace.exists(openTofu) ? [openTofu] : [])
    }

    /// Returns the files with terraform's tokens: of several for one host it takes that in the last file of its folder, and
    /// only without any that of its configuration. If a variable names that one, it reads no other.
    private func terraformLoginPaths() throws(KeychainError) -> [String] {
        let folder = "\(try home())/.terraform.d"
        let files = ["*.tfrc", "*.tfrc.json"].flatMap { PinnedFolder.files("\(folder)/\($0)") }
        let inFolder = Array(files.sorted().reversed())
        let configurations = try terraformPaths()
        return value("TF_CLI_CONFIG_FILE") == nil
            ? inFolder + configurations : configurations + inFolder
    }

    /// Returns docker's file, and those of podman, skopeo and buildah.
    private func registryLoginPaths() throws(KeychainError) -> [String] {
        let runtime =
            value("XDG_RUNTIME_DIR").map { "\($0)/containers" }
            ?? "/run/containers/\(SystemCalls.effectiveUser)"
        return [try DockerSetup(environment: self).file()]
            + [value("REGISTRY_AUTH_FILE")].compactMap(\.self)
            + ["\(runtime)/auth.json", "\(try configurations())/containers/auth.json"]
    }

    /// Returns the folder of `uv auth login`.
    private func uvCredentialsFolder() throws(KeychainError) -> String {
        if let own = try path("UV_CREDENTIALS_DIR") {
            return own
        }
        return "\(try path("XDG_DATA_HOME", orInHome: ".local/share"))/uv/credentials"
    }

    /// Returns the existing files at some paths, of which one such as `*.json` means all files of its folder that end so.
    ///
    /// - Parameter paths: Paths below the home folder, also with `~/` before them; absolute ones; or ones below the working
    ///   folder that start with `./`.
    /// - Throws: As ``files(ofImport:)``.
    package func files(at paths: [String]) throws(KeychainError) -> [String] {
        var places: [String] = []
        for path in paths {
            let isWhole = path.hasPrefix("/") || path.hasPrefix("./")
            let place =
                isWhole ? path : "\(try home())/\(path.dropFirst(path.hasPrefix("~/") ? 2 : 0))"
            places += PinnedFolder.files(place)
        }
        return try SetupEnvironment.existing(places)
    }

    /// Returns the configuration in a folder of cargo's. Next to a file with the old name cargo reads no config.toml.
    package static func cargoConfigurationFile(in folder: String) -> String {
        let old = "\(folder)/config"
        let isThere = (try? SystemCalls.statusBehindLinks(at: old))?.kind == .file
        return isThere ? old : "\(folder)/config.toml"
    }

    /// Returns the folder of pass: PASSWORD_STORE_DIR, else `.password-store` in the home folder.
    ///
    /// - Throws: As ``files(ofImport:)``.
    package func passwordStoreFolder() throws(KeychainError) -> String {
        if let folder = value("PASSWORD_STORE_DIR") {
            return folder
        }
        return "\(try home())/.password-store"
    }

    /// Returns the existing files, without duplicates under other paths.
    private static func existing(_ paths: [String]) throws(KeychainError) -> [String] {
        var existing: [String] = []
        for path in paths {
            // Reading a pipe would wait for its writer.
            if try PrivatePlace.exists(path), !SetupEnvironment.isPipe(path),
                !existing.contains(where: { PrivatePlace.areSame($0, path) })
            {
                existing.append(path)
            }
        }
        return existing
    }

    private static func isPipe(_ path: String) -> Bool {
        (try? SystemCalls.statusBehindLinks(at: path))?.kind == .other
    }
}
