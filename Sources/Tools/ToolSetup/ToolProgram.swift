internal import KeychainServices

/// A program in PATH that can store its logins in lanyard.
package struct ToolProgram: Hashable, Sendable {
    /// Its name.
    package enum Name: String, Sendable, CaseIterable {
        case git, docker, podman, skopeo, buildah

        /// The tool whose setup covers it.
        package var tool: Tool { self == .git ? .git : .docker }
    }

    /// Its name.
    package let name: Name
    /// Its path.
    package let path: String
    /// Its version, for example `2.39.5`; nil if it does not print one, or was not asked.
    package let version: String?

    /// Its name, with its version if known.
    package var nameAndVersion: String {
        version.map { "\(name.rawValue) \($0)" } ?? name.rawValue
    }

    /// Returns the installed programs, in the order of ``Name``. Each has five seconds to print its version.
    package static func installed(_ environment: SetupEnvironment) -> [ToolProgram] {
        var programs: [ToolProgram] = []
        for name in Name.allCases {
            if let path = environment.path(ofProgram: name.rawValue) {
                // These two create folders in the user's runtime folder even for that.
                let answer =
                    name == .podman || name == .buildah
                    ? nil
                    : try? ForeignProgram(path, environment, timeLimit: 5_000).run(["--version"])
                programs.append(
                    ToolProgram(
                        name: name, path: path, version: answer.flatMap { version($0.output) }))
            }
        }
        return programs
    }

    /// Returns the first word that starts with a digit in a line such as `Docker version 28.2.2, build
    /// e6534b4`.
    static func version(_ output: FileBytes) -> String? {
        let line = output.split(separator: 0x0A).first ?? ""
        let words = String(decoding: line, as: UTF8.self)
            .split { $0 == " " || $0 == "," || $0 == "\t" }
        return words.first { $0.first?.isNumber == true }.map { String($0) }
    }
}
