internal import KeychainServices

/// A program that can keep its logins in lanyard, as it is found along PATH.
public struct ToolProgram: Hashable, Sendable {
    /// Its name.
    public enum Name: String, Sendable, CaseIterable {
        case git, docker, podman, skopeo, buildah

        /// The setup that is for it.
        public var tool: Tool { self == .git ? .git : .docker }
    }

    /// Its name.
    public let name: Name
    /// Where it is found.
    public let path: String
    /// What it says its version is, for example `2.39.5`; nil if it does not say, or is not asked.
    public let version: String?

    /// Its name, and its version if that is known.
    package var nameAndVersion: String {
        version.map { "\(name.rawValue) \($0)" } ?? name.rawValue
    }

    /// Those that are installed, in the order of ``Name``. Each has ten seconds to tell its version.
    public static func installed(_ environment: SetupEnvironment) async -> [ToolProgram] {
        var programs: [ToolProgram] = []
        for name in Name.allCases {
            if let path = environment.path(ofProgram: name.rawValue) {
                // These two make folders in the user's runtime folder even for that.
                let answer =
                    name == .podman || name == .buildah
                    ? nil : try? await ForeignProgram(path, environment).run(["--version"])
                programs.append(
                    ToolProgram(
                        name: name, path: path, version: answer.flatMap { version($0.output) }))
            }
        }
        return programs
    }

    /// The first word of a line such as `Docker version 28.2.2, build e6534b4` that begins with a
    /// digit.
    static func version(_ output: [UInt8]) -> String? {
        let line = output.split(separator: 0x0A).first ?? []
        let words = String(decoding: line, as: UTF8.self)
            .split { $0 == " " || $0 == "," || $0 == "\t" }
        return words.first { $0.first?.isNumber == true }.map { String($0) }
    }
}
