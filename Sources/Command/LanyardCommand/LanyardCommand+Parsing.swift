internal import ArgumentParser

extension LanyardCommand {
    /// Whether a command is being parsed without the others.
    @TaskLocal static var isAlone = false

    /// Parses the arguments to the same command or error as ``parseAsRoot(_:)``. It takes a fraction of
    /// the time if they start with a valid command.
    static func command(given arguments: [String]) throws -> any ParsableCommand {
        try commandAlone(given: arguments) ?? parseAsRoot(arguments)
    }

    /// Parses only the first command, without inspecting the others; nil unless it takes all the arguments.
    /// Errors and help need the parser with the whole `lanyard`.
    static func commandAlone(given arguments: [String]) -> (any ParsableCommand)? {
        $isAlone.withValue(true) { findAlone(arguments) }
    }

    private static func findAlone(_ arguments: [String]) -> (any ParsableCommand)? {
        var rest = arguments[...]
        var type: any ParsableCommand.Type = LanyardCommand.self
        repeat {
            let name = rest.popFirst()
            guard let named = type.configuration.subcommands.first(where: { $0.isNamed(name) })
            else {
                return nil
            }
            type = named
        } while !type.configuration.subcommands.isEmpty
        let command = try? type.parseAsRoot(Array(rest))
        // A request for help is a command of the parser's own.
        guard let command, Swift.type(of: command) == type else {
            return nil
        }
        return command
    }
}

extension CommandConfiguration {
    /// The configuration for parsing a command alone. Without names for help and completions, the parser
    /// does not search for them and treats them as errors.
    var whenAlone: CommandConfiguration {
        guard LanyardCommand.isAlone else {
            return self
        }
        var configuration = self
        // The parser prints its completion script only for a command without such a name.
        configuration._superCommandName = "lanyard"
        configuration.helpNames = []
        return configuration
    }
}
