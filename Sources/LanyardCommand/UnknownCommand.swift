internal import ArgumentParser
internal import Configuration
internal import KeychainServices
internal import ToolProfiles

/// An unknown word in place of a command.
struct UnknownCommand {
    let error: KeychainError

    /// Other programs' names for our commands.
    static let otherNames = [
        "cat": "get", "check": "doctor", "close": "lock", "create": "set", "del": "remove",
        "delete": "remove", "gen": "generate", "init": "setup", "insert": "set",
        "install": "setup", "lst": "list", "new": "set", "open": "unlock", "passwd": "passphrase",
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
        "edge": "csv", "firefox": "csv", "git": "git-credentials", "keychain": "keychain-dump",
        "lastpass": "csv", "podman": "docker-config", "safari": "csv",
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
        let word = given.lowercased()
        let others =
            [otherNames, otherSources].compactMap { $0[word] } + (otherNamesBelow[word] ?? [])
        let meant =
            others.first(where: names.contains)
            ?? suggestion(for: word, among: names + (path == "lanyard" ? ["help"] : []))
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
