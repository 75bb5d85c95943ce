internal import ArgumentParser

extension CommandConfiguration {
    /// Returns the configuration with example calls for the help.
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
