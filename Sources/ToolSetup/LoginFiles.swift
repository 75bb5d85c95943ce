public import KeychainServices
internal import LinuxSystem

/// The files in which tools keep logins in plain text where nobody tells them otherwise: those of them
/// that exist.
extension SetupEnvironment {
    /// Those of `git credential-store`, the one that it looks in first being first.
    ///
    /// - Throws: ``Status/param`` if HOME is not set to a home folder.
    public func gitCredentialFiles() throws(KeychainError) -> [String] {
        try SetupEnvironment.existing([
            "\(try home())/.git-credentials", "\(try configurations())/git/credentials",
        ])
    }

    /// Docker's, and those of podman, skopeo and buildah.
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

    /// The file that NETRC names, and .netrc in the home folder.
    ///
    /// - Throws: As ``gitCredentialFiles()``.
    public func netrcFiles() throws(KeychainError) -> [String] {
        try SetupEnvironment.existing(
            [value("NETRC"), "\(try home())/.netrc"].compactMap(\.self))
    }

    /// The folder of pass: PASSWORD_STORE_DIR, else `.password-store` in the home folder.
    ///
    /// - Throws: As ``gitCredentialFiles()``.
    public func passwordStoreFolder() throws(KeychainError) -> String {
        if let folder = value("PASSWORD_STORE_DIR") {
            return folder
        }
        return "\(try home())/.password-store"
    }

    /// Each once, by whatever path.
    private static func existing(_ paths: [String]) throws(KeychainError) -> [String] {
        var existing: [String] = []
        for path in paths {
            if try PrivatePlace.exists(path),
                !existing.contains(where: { PrivatePlace.areSame($0, path) })
            {
                existing.append(path)
            }
        }
        return existing
    }
}
