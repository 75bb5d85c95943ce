internal import ImportEngine
internal import ItemImport
internal import KeychainServices
internal import ToolSetup

/// Files of one format to import from.
struct ImportedFiles {
    /// Their format.
    let format: any ImportFormat
    /// Their paths in the tool's search order, `-` for standard input.
    let paths: [String]
    /// Whether they belong to git's credential store, which respects a lock and uses the first login that
    /// it finds.
    var areGits = false
    /// Whether programs that don't use the keychain read them.
    var areReadByOthers = false
    /// Which account of a host answers after the import, if the files belong to a tool.
    var answering: AnsweringOrder.Rule?

    /// The path that means standard input.
    static let standardInput = "-"

    /// Returns a file of `git credential-store`, or its default files.
    ///
    /// - Throws: ``Status/itemNotFound`` without a file.
    static func gitCredentials(_ path: String? = nil) throws(KeychainError) -> ImportedFiles {
        let paths = try paths(path, "git credential-store") { environment throws(KeychainError) in
            try environment.gitCredentialFiles()
        }
        return ImportedFiles(
            format: GitCredentialsFile(), paths: paths, areGits: true, answering: .keychainFirst)
    }

    /// Returns a file of docker's format, or docker's own and those of podman, skopeo and buildah.
    ///
    /// - Throws: ``Status/itemNotFound`` without a file.
    static func dockerConfig(_ path: String? = nil) throws(KeychainError) -> ImportedFiles {
        let paths = try paths(path, "docker or podman") { environment throws(KeychainError) in
            try environment.registryLoginFiles()
        }
        return ImportedFiles(
            format: DockerConfigFile(), paths: paths, answering: .keychainFirst)
    }

    /// Returns a file of netrc's format, or .netrc in the home folder and the file that NETRC names.
    ///
    /// - Throws: ``Status/itemNotFound`` without a file.
    static func netrc(_ path: String? = nil) throws(KeychainError) -> ImportedFiles {
        let paths = try paths(path, "netrc") { environment throws(KeychainError) in
            try environment.netrcFiles()
        }
        // Through curl, git reads these before it asks a helper.
        let asked = try SetupEnvironment().netrcFiles()
        return ImportedFiles(
            format: NetrcFile(), paths: paths, areReadByOthers: true,
            answering: paths.allSatisfy(asked.contains) ? .fileFirst : .keychainFirst)
    }

    /// Returns a file of a given format.
    static func file(
        _ path: String, _ format: any ImportFormat
    ) throws(KeychainError) -> ImportedFiles {
        ImportedFiles(format: format, paths: [try named(path)])
    }

    private static func paths(
        _ path: String?, _ tool: String,
        _ usual: (SetupEnvironment) throws(KeychainError) -> [String]
    ) throws(KeychainError) -> [String] {
        if let path {
            return [try named(path)]
        }
        let paths = try usual(try SetupEnvironment())
        guard !paths.isEmpty else {
            throw KeychainError(.itemNotFound, "found no file of \(tool) in the usual place")
        }
        return paths
    }

    private static func named(_ path: String) throws(KeychainError) -> String {
        path == standardInput ? path : try absolutePath(path)
    }
}
