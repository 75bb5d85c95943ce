/// The installation that a program belongs to, as seen from the program's own folder.
package struct Installation {
    /// The program's folder, with links resolved.
    package let folder: String
    /// The folder above it.
    private var prefix: String { PrivatePlace.parent(of: folder) ?? "" }

    /// Finds the installation of a program, by default the running one.
    ///
    /// - Returns: Nil if there is no such program.
    package init?(ofProgram program: String = "/proc/self/exe") {
        guard let folder = SystemCalls.realPath(program).flatMap(PrivatePlace.parent) else {
            return nil
        }
        self.folder = folder
    }

    /// Returns the path of a program in the same folder, nil if it is missing.
    package func neighbour(_ name: String) -> String? { existing("\(folder)/\(name)") }

    /// Returns the path of a file in the folder above, such as `share/man/man1/lanyard.1`; nil if it is missing.
    package func file(_ path: String) -> String? { existing("\(prefix)/\(path)") }

    /// Returns the path of one of the commands: in the same folder, or in `../../bin` seen from it; nil if it is in
    /// neither.
    package func command(_ name: String) -> String? {
        neighbour(name) ?? existing("\(PrivatePlace.parent(of: prefix) ?? "")/bin/\(name)")
    }

    /// The program of all helpers: it does what the name says that it is started by.
    package static let helper = "lanyard-helper"
    /// The other names of the programs that have two.
    private static let otherNames = [
        "lanyard": "lanyard-ssh-agent",
        "lanyard-secret-service": "lanyard-keychain-secret-service",
    ]

    /// Returns the path that names a program in lists and logs: one with several names has that at its end by which it
    /// was started, which any caller can choose.
    package static func path(of executable: String, startedAs name: String) -> String {
        let program = PrivatePlace.name(of: executable)
        let name = PrivatePlace.name(of: name)
        guard program == helper || otherNames[program] == name,
            let folder = PrivatePlace.parent(of: executable)
        else {
            return executable
        }
        return "\(folder)/\(name)"
    }

    private func existing(_ path: String) -> String? {
        SystemCalls.realPath(path) == nil ? nil : path
    }
}
