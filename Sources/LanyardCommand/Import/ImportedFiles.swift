internal import ImportEngine
internal import ItemImport
internal import KeychainServices
internal import ToolSetup

/// Files of one form to import from.
struct ImportedFiles {
    /// Their form.
    let format: any ImportFormat
    /// Their paths, `-` for standard input; the one that its tool looks in first being first.
    let paths: [String]
    /// Whether they are of git's credential store, which heeds a lock and takes the login that it finds
    /// first.
    var areGits = false
    /// Whether programs read them that don't look in the keychain.
    var areReadByOthers = false
    /// Which account of a host answers after the import, where the files are those of a tool.
    var answering: AnsweringOrder.Rule?

    /// The path of standard input.
    static let standardInput = "-"

    /// Of `git credential-store`: a file, or those that it has where it is not told otherwise.
    ///
    /// - Throws: ``Status/itemNotFound`` if there is none.
    static func gitCredentials(_ path: String? = nil) throws(KeychainError) -> ImportedFiles {
        let paths = try paths(path, "git credential-store") { environment throws(KeychainError) in
            try environment.gitCredentialFiles()
        }
        return ImportedFiles(
            format: GitCredentialsFile(), paths: paths, areGits: true, answering: .keychainFirst)
    }

    /// Of docker's form: a file, or docker's own and those of podman, skopeo and buildah.
    ///
    /// - Throws: ``Status/itemNotFound`` if there is none.
    static func dockerConfig(_ path: String? = nil) throws(KeychainError) -> ImportedFiles {
        let paths = try paths(path, "docker or podman") { environment throws(KeychainError) in
            try environment.registryLoginFiles()
        }
        return ImportedFiles(
            format: DockerConfigFile(), paths: paths, answering: .keychainFirst)
    }

    /// Of netrc's form: a file, or .netrc in the home folder and what NETRC names.
    ///
    /// - Throws: ``Status/itemNotFound`` if there is none.
    static func netrc(_ path: String? = nil) throws(KeychainError) -> ImportedFiles {
        let paths = try paths(path, "netrc") { environment throws(KeychainError) in
            try environment.netrcFiles()
        }
        // Through curl, git looks in these before it asks a helper.
        let asked = try SetupEnvironment().netrcFiles()
        return ImportedFiles(
            format: NetrcFile(), paths: paths, areReadByOthers: true,
            answering: paths.allSatisfy(asked.contains) ? .fileFirst : .keychainFirst)
    }

    /// A file in a form of its own.
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
            throw KeychainError(.itemNotFound, "there is no file of \(tool) in its usual place")
        }
        return paths
    }

    private static func named(_ path: String) throws(KeychainError) -> String {
        path == standardInput ? path : try absolutePath(path)
    }
}
