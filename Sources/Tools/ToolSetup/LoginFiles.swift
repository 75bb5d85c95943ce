package import KeychainServices
internal import LinuxSystem
internal import ToolCatalog

/// Finds the existing files in which tools store plain-text logins by default.
extension SetupEnvironment {
    /// Returns the files of a source of `lanyard import` with a format of its own, in its search order; none of another
    /// source.
    ///
    /// - Throws: ``Status/param`` if HOME is not set to a home folder.
    package func files(ofImport name: String) throws(KeychainError) -> [String] {
        let paths =
            switch name {
            case "docker-config": try registryLoginPaths()
            case "git-credentials":
                ["\(try home())/.git-credentials", "\(try configurations())/git/credentials"]
            case "kubectl": [try KubectlSetup([], self).path()]
            case "netrc": [value("NETRC"), "\(try home())/.netrc"].compactMap(\.self)
            default: try paths(ofImport: name)
            }
        return try SetupEnvironment.existing(paths)
    }

    /// Returns the paths of a tool of the catalogue.
    private func paths(ofImport name: String) throws(KeychainError) -> [String] {
        guard let tool = CatalogTools.named(name) else {
            return []
        }
        var paths: [String] = []
        for file in tool.plainText {
            paths += PinnedFolder.files(try place(of: file.path, tool.moves))
        }
        return tool.inOrder(paths, value)
    }

    /// Returns the absolute path of one below the home folder, which variables may move.
    ///
    /// - Throws: ``Status/param`` for a relative path in a variable, and without a home folder.
    func place(of path: String, _ moves: [FileMove]) throws(KeychainError) -> String {
        for move in moves {
            guard let start = move.start(of: path) else {
                continue
            }
            for variable in move.variables {
                if let place = try self.path(variable) {
                    return place + path.dropFirst(start.count)
                }
            }
        }
        let folder = ".config/"
        let isMoved = path.hasPrefix(folder) && moves.allSatisfy(\.obeysFolders)
        return isMoved
            ? "\(try configurations())/\(path.dropFirst(folder.count))" : "\(try home())/\(path)"
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
