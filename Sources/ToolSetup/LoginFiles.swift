public import KeychainServices
internal import LinuxSystem

/// Finds the existing files in which tools store plain-text logins by default.
extension SetupEnvironment {
    /// Returns the files of `git credential-store`, in its search order.
    ///
    /// - Throws: ``Status/param`` if HOME is not set to a home folder.
    public func gitCredentialFiles() throws(KeychainError) -> [String] {
        try SetupEnvironment.existing([
            "\(try home())/.git-credentials", "\(try configurations())/git/credentials",
        ])
    }

    /// Returns docker's file, and those of podman, skopeo and buildah.
    ///
    /// - Throws: As ``gitCredentialFiles()``.
    public func registryLoginFiles() throws(KeychainError) -> [String] {
        let docker =
            if let folder = try path("DOCKER_CONFIG") { folder } else { "\(try home())/.docker" }
        let runtime =
            value("XDG_RUNTIME_DIR").map { "\($0)/containers" }
            ?? "/run/containers/\(SystemCalls.effectiveUser)"
        var files = ["\(docker)/config.json"]
        if let file = value("REGISTRY_AUTH_FILE") {
            files.append(file)
        }
        files += ["\(runtime)/auth.json", "\(try configurations())/containers/auth.json"]
        return try SetupEnvironment.existing(files)
    }

    /// Returns the file that NETRC names, and .netrc in the home folder.
    ///
    /// - Throws: As ``gitCredentialFiles()``.
    public func netrcFiles() throws(KeychainError) -> [String] {
        try SetupEnvironment.existing(
            [value("NETRC"), "\(try home())/.netrc"].compactMap(\.self))
    }

    /// Returns the file that a variable names, else one in the home folder.
    ///
    /// - Throws: As ``gitCredentialFiles()``.
    package func toolFiles(
        _ variable: String?, _ name: String
    ) throws(KeychainError) -> [String] {
        if let variable, let file = try path(variable) {
            return try SetupEnvironment.existing([file])
        }
        return try SetupEnvironment.existing(
            PinnedFolder.files("\(try home())/\(name)"))
    }

    /// Returns cargo's file of tokens, which had a name without an ending.
    ///
    /// - Throws: As ``gitCredentialFiles()``.
    package func cargoCredentialFiles() throws(KeychainError) -> [String] {
        let folder =
            if let folder = try path("CARGO_HOME") { folder } else { "\(try home())/.cargo" }
        return try SetupEnvironment.existing(
            ["credentials.toml", "credentials"].map { "\(folder)/\($0)" })
    }

    /// Returns the configuration in a folder of cargo's. Next to a file with the old name cargo reads no config.toml.
    package static func cargoConfigurationFile(in folder: String) -> String {
        let old = "\(folder)/config"
        let isThere = (try? SystemCalls.statusBehindLinks(at: old))?.kind == .file
        return isThere ? old : "\(folder)/config.toml"
    }

    /// Returns gradle's own file of properties.
    ///
    /// - Throws: As ``gitCredentialFiles()``.
    package func gradlePropertyFiles() throws(KeychainError) -> [String] {
        let folder =
            if let folder = try path("GRADLE_USER_HOME") { folder } else {
                "\(try home())/.gradle"
            }
        return try SetupEnvironment.existing(["\(folder)/gradle.properties"])
    }

    /// Returns the files of dotnet and of NuGet on Mono.
    ///
    /// - Throws: As ``gitCredentialFiles()``.
    package func nugetConfigFiles() throws(KeychainError) -> [String] {
        let home = try home()
        return try SetupEnvironment.existing(
            [".nuget/NuGet/NuGet.Config", ".config/NuGet/NuGet.Config"].map { "\(home)/\($0)" })
    }

    /// Returns the file of `uv auth login`.
    ///
    /// - Throws: As ``gitCredentialFiles()``.
    package func uvCredentialFiles() throws(KeychainError) -> [String] {
        let folder: String
        if let own = try path("UV_CREDENTIALS_DIR") {
            folder = own
        } else if let data = try path("XDG_DATA_HOME") {
            folder = "\(data)/uv/credentials"
        } else {
            folder = "\(try home())/.local/share/uv/credentials"
        }
        return try SetupEnvironment.existing(["\(folder)/credentials.toml"])
    }

    /// Returns kubectl's file.
    ///
    /// - Throws: As ``gitCredentialFiles()``.
    package func kubeconfigFiles() throws(KeychainError) -> [String] {
        try SetupEnvironment.existing([try KubectlSetup([], self).path()])
    }

    /// Returns the folder of pass: PASSWORD_STORE_DIR, else `.password-store` in the home folder.
    ///
    /// - Throws: As ``gitCredentialFiles()``.
    public func passwordStoreFolder() throws(KeychainError) -> String {
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
