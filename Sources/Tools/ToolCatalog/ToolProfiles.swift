extension ToolProfile {
    /// All profiles, sorted by name: add a new one to the list of its subject.
    package static let all: [ToolProfile] =
        (forges + clouds + hosting + databases + dataPlatforms + models + packages + observability
        + services)
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }

    /// Finds the profile of a program, or one with its name.
    package init?(program: String) {
        let profile =
            ToolProfile.all.first { $0.programs.contains(program) }
            ?? ToolProfile.all.first { $0.name == program }
        guard let profile else {
            return nil
        }
        self = profile
    }
}
