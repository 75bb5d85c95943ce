internal import ArgumentParser
internal import LanyardConfiguration
internal import ToolCatalog

extension CompletionKind {
    /// Completes with the names of profiles.
    static var profileNames: CompletionKind {
        .custom { _, _, _ in profiles.map(\.name) }
    }

    /// Completes with the names of programs that have a profile.
    static var profilePrograms: CompletionKind {
        .custom { _, _, _ in profiles.flatMap(\.programs) }
    }

    private static var profiles: [ToolProfile] {
        (try? ProfileCatalog(Configuration()).all) ?? ToolProfile.all
    }
}
