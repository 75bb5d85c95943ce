internal import ArgumentParser

extension CommandConfiguration {
    /// The configuration with lines that show in the help how the command is used.
    func examples(_ lines: String...) -> CommandConfiguration {
        var configuration = self
        let separator = configuration.discussion.isEmpty ? "" : "\n\n"
        configuration.discussion += "\(separator)EXAMPLES:"
        for line in lines {
            configuration.discussion += "\n  \(line)"
        }
        return configuration
    }
}
