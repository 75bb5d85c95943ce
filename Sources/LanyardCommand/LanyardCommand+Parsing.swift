internal import ArgumentParser

extension LanyardCommand {
    /// Whether a command is being parsed without the others.
    @TaskLocal fileprivate static var isAlone = false

    /// Parses what stands behind the program's name as ``parseAsRoot(_:)`` does, to the same command or the
    /// same error; in a fraction of the time where a command is named first and all is well.
    static func command(given arguments: [String]) throws -> any ParsableCommand {
        try commandAlone(given: arguments) ?? parseAsRoot(arguments)
    }

    /// The command that the arguments begin with, without a look at the others; nil unless it takes all the
    /// rest. What to say of anything wrong, and help, is for the parser that has the whole `lanyard`.
    static func commandAlone(given arguments: [String]) -> (any ParsableCommand)? {
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
        let command = try? $isAlone.withValue(true) {
            try type.parseAsRoot(Array(rest))
        }
        // A request for help is a command of the parser's own.
        guard let command, Swift.type(of: command) == type else {
            return nil
        }
        return command
    }
}

extension CommandConfiguration {
    /// What of it the parser needs where a command is parsed alone. Without a name of help and of
    /// completions it doesn't look for them, and takes them for what is wrong.
    var whenAlone: CommandConfiguration {
        guard LanyardCommand.isAlone else {
            return self
        }
        var configuration = self
        // The script of completions is that of a command without such a name.
        configuration._superCommandName = "lanyard"
        configuration.helpNames = []
        return configuration
    }
}
