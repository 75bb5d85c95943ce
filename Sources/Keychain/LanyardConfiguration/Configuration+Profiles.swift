package import KeychainServices

extension Configuration {
    /// A program that takes its secret in variables: a section `[profile "NAME"]`.
    package struct ProgramProfile: Equatable, Sendable {
        /// A line `variable = NAME=VALUE`.
        package struct Variable: Equatable, Sendable {
            /// The variable's name.
            package let name: String
            /// The name of its value, `secret` by default.
            package let value: String
        }

        /// The profile's name.
        package let name: String
        /// The values of `program`; the name without one.
        package let programs: [String]
        /// The values of `variable`.
        package let variables: [Variable]
    }

    /// The keys in a profile's section. Both can be repeated.
    static let profileKeys = ["program", "variable"]

    /// Returns the user's own profiles, in their order.
    ///
    /// - Throws: ``Status/param`` for an invalid name, program or variable, and for a profile without
    ///   variables.
    package func programProfiles() throws(KeychainError) -> [ProgramProfile] {
        var profiles: [ProgramProfile] = []
        for name in names(ofSections: "profile") {
            guard Configuration.isWord(name) else {
                throw KeychainError(
                    .param, "invalid profile name '\(name)'",
                    hint: "use letters, digits, '-', '_' and '.'")
            }
            let lines = entries.filter { $0.section == "profile" && $0.subsection == name }
            let programs = lines.filter { $0.key == "program" }.map { $0.value ?? "" }
            for program in programs where program.isEmpty || program.contains("/") {
                throw KeychainError(
                    .param, "invalid program '\(program)' in profile '\(name)'",
                    hint: "write its name without a folder")
            }
            var variables: [ProgramProfile.Variable] = []
            for line in lines where line.key == "variable" {
                let variable = try Configuration.variable(line.value ?? "", profile: name)
                guard !variables.contains(where: { $0.name == variable.name }) else {
                    throw KeychainError(
                        .param, "profile '\(name)' has the variable '\(variable.name)' twice")
                }
                variables.append(variable)
            }
            guard !variables.isEmpty else {
                throw KeychainError(
                    .param, "profile '\(name)' has no variable",
                    hint: "add a line such as variable = API_TOKEN")
            }
            profiles.append(
                ProgramProfile(
                    name: name, programs: programs.isEmpty ? [name] : programs,
                    variables: variables))
        }
        return profiles
    }

    /// The settings of the profiles, one for each line.
    var profileSettings: [Setting] {
        entries.filter {
            $0.section == "profile" && $0.subsection != nil
                && Configuration.profileKeys.contains($0.key)
        }.map { entry in
            Setting(
                name: name(entry.section, entry.subsection, entry.key), value: entry.value ?? "",
                origin: origin(entry))
        }
    }

    /// Parses `NAME` or `NAME=VALUE`.
    private static func variable(
        _ text: String, profile: String
    ) throws(KeychainError) -> ProgramProfile.Variable {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        let value = parts.count == 2 ? String(parts[1]) : "secret"
        let isName =
            isWord(name) && !name.contains { $0 == "-" || $0 == "." }
            && name.first?.isNumber == false
        guard isName, isWord(value) else {
            throw KeychainError(
                .param, "invalid variable '\(text)' in profile '\(profile)'",
                hint: "write NAME, NAME=account or NAME=PART")
        }
        return ProgramProfile.Variable(name: name, value: value)
    }

    /// Whether a text has only letters, digits, `-`, `_` and `.`, and does not begin with `-`.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("-")
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "-_.".utf8.contains($0) }
    }
}
