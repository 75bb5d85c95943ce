internal import KeychainServices
internal import LinuxSystem
internal import PlainTextFormats
internal import ToolCatalog

/// A plain-text file with logins. Lanyard counts them and never shows them.
package struct PlainTextLeftover: Hashable, Sendable {
    /// The program that wrote it, under the name of its source in `lanyard import`.
    package enum Kind: RawRepresentable, Hashable, Sendable {
        /// The file of git's helper `store`.
        case gitCredentials
        /// The configuration of docker, podman, skopeo and buildah.
        case dockerConfig
        /// The file in which curl, and git with it, looks up logins.
        case netrc
        /// A file of a tool of the catalogue that no longer reads it after its setup, by the tool's name.
        case tool(String)

        package init?(rawValue name: String) {
            switch name {
            case "git-credentials": self = .gitCredentials
            case "docker-config": self = .dockerConfig
            case "netrc": self = .netrc
            default:
                guard CatalogTools.named(name)?.settings?.importVariables != nil else {
                    return nil
                }
                self = .tool(name)
            }
        }

        package var rawValue: String {
            switch self {
            case .gitCredentials: "git-credentials"
            case .dockerConfig: "docker-config"
            case .netrc: "netrc"
            case .tool(let name): name
            }
        }

        /// The tool whose setup moves it.
        var tool: Tool {
            switch self {
            case .gitCredentials, .netrc: .git
            case .dockerConfig: .docker
            case .tool(let name): .settings(name)
            }
        }

        /// Counts the logins of such a file; none if it is unreadable.
        func logins(in path: String) -> Int {
            switch self {
            case .gitCredentials: PlainTextLogins.lines(path)
            case .dockerConfig: PlainTextLogins.registries(path)
            case .netrc: PlainTextLogins.netrcPasswords(path).all
            case .tool(let name):
                // All files of such a tool have the same form.
                CatalogTools.named(name)?.plainText.first
                    .map { PlainTextLogins.secrets(path, $0) } ?? 0
            }
        }
    }

    /// The program that wrote it.
    package let kind: Kind
    /// Its path.
    package let path: String
    /// The number of its logins, at least one.
    package let logins: Int
    /// Whether it only has a login for all hosts, which no import takes: netrc's `default`.
    package var hasOnlyDefault = false
    /// What to do about such a login.
    package static let adviceOnDefault =
        "git and curl send a 'default' login to every host: name each host with 'machine'"

    /// The command that imports the logins into the keychain. It leaves files that other programs read
    /// unchanged.
    package var importCommand: String {
        isReadByOthers
            ? "lanyard import \(kind.rawValue) \(path.shellQuoted)" : removingCommand
    }

    /// The command that moves the logins into the keychain.
    var removingCommand: String {
        "lanyard import \(kind.rawValue) --remove-plain-text \(path.shellQuoted)"
    }

    /// Whether programs that don't use the keychain read the file: curl, for one, reads netrc.
    package var isReadByOthers: Bool { otherReaders != nil }

    /// The programs that read the file and don't use the keychain, for users; nil if those that use it read it, too.
    package var otherReaders: String? {
        switch kind {
        case .netrc: "curl and other programs"
        case .dockerConfig where isOfMissingTools:
            "programs other than docker, podman, skopeo and buildah, which are not installed,"
        case .gitCredentials, .dockerConfig, .tool: nil
        }
    }

    /// Whether no program is on the PATH that reads the file and can use the keychain.
    private(set) var isOfMissingTools = false

    /// Returns every such file of git, docker, podman, skopeo, buildah and curl. Unreadable ones don't count.
    package static func all(_ environment: SetupEnvironment) -> [PlainTextLeftover] {
        var files: [PlainTextLeftover] = []
        let hasDocker = ToolProgram.Name.allCases.contains {
            $0.tool == .docker && environment.finds($0.rawValue)
        }
        func add(_ kind: Kind, _ path: String, _ logins: Int, hasOnlyDefault: Bool = false) {
            if logins > 0, !files.contains(where: { $0.path == path }) {
                var file = PlainTextLeftover(
                    kind: kind, path: path, logins: logins, hasOnlyDefault: hasOnlyDefault)
                file.isOfMissingTools = kind == .dockerConfig && !hasDocker
                files.append(file)
            }
        }
        for path in gitFiles(environment) {
            add(.gitCredentials, path, PlainTextLogins.lines(path))
        }
        let containers = ContainersSetup(environment: environment)
        let docker = (try? DockerSetup(environment: environment).file()).map { [$0] } ?? []
        for path in docker + ((try? containers.loginFiles()) ?? []) {
            add(.dockerConfig, path, PlainTextLogins.registries(path))
        }
        for path in netrcFiles(environment) {
            let passwords = PlainTextLogins.netrcPasswords(path)
            add(.netrc, path, passwords.all, hasOnlyDefault: passwords.ofMachines == 0)
        }
        return files
    }

    /// Returns the default files of `store`, and those that a configuration names.
    private static func gitFiles(_ environment: SetupEnvironment) -> [String] {
        let standard = GitHelper(pattern: nil, value: "store")
        var helpers = [standard]
        let git = GitProgram(environment: environment)
        if let entries = try? git.configuration() {
            helpers += entries.compactMap(GitHelper.init).filter(\.keepsPlainText)
        }
        return helpers.flatMap { (try? PlainTextLogins.files(of: $0, environment)) ?? [] }
    }

    private static func netrcFiles(_ environment: SetupEnvironment) -> [String] {
        let home = (try? environment.home()).map { ["\($0)/.netrc"] } ?? []
        return [environment.value("NETRC")].compactMap(\.self) + home
    }
}
