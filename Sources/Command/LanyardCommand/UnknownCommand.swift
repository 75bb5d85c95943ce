internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import ToolCatalog

/// An unknown word in place of a command.
struct UnknownCommand {
    let error: KeychainError

    /// Other programs' names for our commands.
    static let otherNames = [
        "cat": "get", "check": "doctor", "close": "lock", "create": "set", "del": "remove",
        "delete": "remove", "gen": "generate", "init": "setup", "insert": "set",
        "install": "setup", "lst": "list", "move": "rename", "mv": "rename", "new": "set",
        "open": "unlock", "passwd": "passphrase",
        "password": "passphrase", "print": "get", "put": "set", "save": "set", "search": "find",
        "settings": "config",
        "store": "set", "view": "get",
    ]

    /// Names for commands below a command, where some of these exist.
    static let otherNamesBelow = [
        "list": ["members"], "ls": ["list", "members"], "remove": ["delete"],
        "rm": ["remove", "delete"],
    ]

    /// Programs whose logins an import of another name takes.
    static let otherSources = [
        "brave": "csv", "chrome": "csv", "chromium": "csv", "docker": "docker-config",
        "edge": "csv", "firefox": "csv", "git": "git-credentials", "keepass": "keepassxc",
        "keychain": "keychain-dump", "lastpass": "csv", "onepassword": "1password",
        "password-store": "pass", "podman": "docker-config", "safari": "csv",
    ]

    /// Files of tools whose import has the tool's name, and other names of tools.
    static let otherTools = [
        "kubeconfig": "kubectl", "my.cnf": "mysql", "npmrc": "npm", "pgpass": "psql",
        "pip": "pypirc", "postgresql": "psql",
    ]

    /// Finds the first unknown command.
    ///
    /// - Parameter arguments: The arguments of `lanyard`.
    /// - Returns: nil if every command exists.
    init?(_ arguments: [String]) {
        var type: any ParsableCommand.Type = LanyardCommand.self
        var path = "lanyard"
        for argument in arguments {
            let commands = type.configuration.subcommands
            guard !commands.isEmpty, !argument.hasPrefix("-"), argument != "help" else {
                return nil
            }
            guard type != SetupCommand.self || ToolProfile(program: argument) == nil else {
                return nil
            }
            guard type != ImportCommand.self || ImportedTool.named(argument) == nil else {
                return nil
            }
            guard let named = commands.first(where: { $0.isNamed(argument) }) else {
                error = UnknownCommand.error(argument, path, commands)
                return
            }
            type = named
            path += " \(argument)"
        }
        return nil
    }

    private static func error(
        _ given: String, _ path: String, _ commands: [any ParsableCommand.Type]
    ) -> KeychainError {
        let names =
            commands.flatMap { [$0.configuration.commandName ?? ""] + $0.configuration.aliases }
            + (commands.contains { $0 == ImportToolCommand.self }
                ? ImportedTool.all.map(\.name) : [])
        // A file such as ~/.netrc has its import under its name.
        let word = String(given.lowercased().drop { $0 == "." })
        let others =
            [otherNames, otherSources, otherTools, SetupProfiles.otherSetups].compactMap {
                $0[word]
            } + (otherNamesBelow[word] ?? [])
        // A misspelt one of these means the same.
        let aliases = [otherSources, otherTools, SetupProfiles.otherSetups].flatMap { $0 }.filter {
            names.contains($0.value) && !names.contains($0.key)
        }
        let near = suggestion(
            for: word,
            among: Set(names + aliases.map(\.key) + (path == "lanyard" ? ["help"] : [])).sorted())
        let meant =
            others.first(where: names.contains)
            ?? near.map { name in aliases.first { $0.key == name }?.value ?? name }
        return KeychainError(
            .param, "unknown command '\(path) \(given)'",
            hint: meant.map { "did you mean '\(path) \($0)'?" } ?? "\(path) --help")
    }
}

extension ParsableCommand {
    /// Whether this is a name of the command.
    static func isNamed(_ name: String?) -> Bool {
        configuration.commandName == name || configuration.aliases.contains { $0 == name }
    }
}
