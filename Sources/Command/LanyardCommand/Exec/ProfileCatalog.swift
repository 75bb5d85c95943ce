internal import LanyardConfiguration
internal import KeychainServices
internal import LanyardPrompting
internal import ToolCatalog

/// The profiles of programs: the user's own, then those of the table.
struct ProfileCatalog {
    /// All of them, sorted by name; the user's own replace those with the same name.
    let all: [ToolProfile]
    private let own: [ToolProfile]

    /// - Throws: ``Status/param`` for an invalid profile in the configuration.
    init(_ configuration: Configuration) throws(KeychainError) {
        var own: [ToolProfile] = []
        for profile in try configuration.programProfiles() {
            own.append(try ToolProfile(profile))
        }
        self.own = own
        let names = Set(own.map(\.name))
        all = (own + ToolProfile.all.filter { !names.contains($0.name) })
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Whether it is the user's.
    func isOwn(_ profile: ToolProfile) -> Bool { own.contains(profile) }

    /// Returns the profile of a program.
    ///
    /// - Parameter program: Its name or path.
    /// - Throws: ``Status/param`` without one.
    func profile(ofProgram program: String) throws(KeychainError) -> ToolProfile {
        let name = String(program.split(separator: "/").last ?? "")
        let found =
            own.first { $0.programs.contains(name) } ?? all.first { $0.programs.contains(name) }
            ?? all.first { $0.name == name }
        guard let found else {
            // A program that exists is the one that was meant.
            let isThere = try programPath(program) != nil
            throw unknown(
                name, among: isThere ? [] : all.flatMap(\.programs), "no profile for the program")
        }
        return found
    }

    /// Returns the profile with a name.
    ///
    /// - Throws: ``Status/param`` without one.
    func profile(named name: String) throws(KeychainError) -> ToolProfile {
        guard
            let found = all.first(where: { $0.name == name })
                ?? all.first(where: { $0.programs.contains(name) })
        else {
            throw unknown(name, among: all.map(\.name), "no profile")
        }
        return found
    }

    private func unknown(_ name: String, among names: [String], _ what: String) -> KeychainError {
        KeychainError(
            .param, "\(what) '\(name)'",
            hint: suggestion(for: name, among: names).map { "did you mean '\($0)'?" }
                ?? "see lanyard profile list")
    }
}

extension ToolProfile {
    fileprivate init(_ profile: Configuration.ProgramProfile) throws(KeychainError) {
        var variables: [Variable] = []
        for variable in profile.variables {
            guard let value = ProfileValue(name: variable.value) else {
                throw KeychainError(
                    .param, "invalid variable '\(variable.name)' in profile '\(profile.name)'")
            }
            variables.append(Variable(variable.name, value))
        }
        self.init(
            profile.name, programs: profile.programs, variables: variables, signIn: nil,
            sources: [])
    }
}
