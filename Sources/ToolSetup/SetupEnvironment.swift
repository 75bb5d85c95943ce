internal import Glibc
internal import Configuration
public import KeychainServices
internal import LinuxSystem

/// What a setup needs to know about where it runs: the environment's variables, which say where
/// each tool's files are, and a folder of its own for the copies.
public struct SetupEnvironment: Sendable {
    /// The environment's variables.
    package let variables: [String: String]
    /// The folder for records and copies.
    let folder: String
    /// The folder of the running program, links followed; nil where it does not matter.
    var programFolder: String?
    /// The PATH of jobs: that of crontab(5), which is the shortest. systemd's and sshd's begin with it.
    var jobFolders = ["/usr/bin", "/bin"]

    /// The environment of this process, with lanyard's own places.
    ///
    /// - Throws: ``Status/param`` if lanyard's places can't be told.
    public init() throws(KeychainError) {
        self.init(variables: SetupEnvironment.ofProcess(), stateFolder: try Places().state)
        programFolder = SystemCalls.realPath("/proc/self/exe").flatMap(PrivatePlace.parent)
    }

    /// An environment made of these variables.
    ///
    /// - Parameter stateFolder: The folder that a folder `setup` is made in.
    public init(variables: [String: String], stateFolder: String) {
        self.variables = variables
        folder = "\(stateFolder)/setup"
    }

    /// The value of a variable, nil if it is not set or empty.
    package func value(_ name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else {
            return nil
        }
        return value
    }

    /// The path in a variable, nil if it is not set or empty.
    ///
    /// - Throws: ``Status/param`` for a relative path.
    package func path(_ name: String) throws(KeychainError) -> String? {
        guard let path = value(name) else {
            return nil
        }
        guard path.hasPrefix("/") else {
            throw KeychainError(
                .param, "\(name) is not an absolute path",
                hint: "set \(name) to a path that begins with '/'")
        }
        return path
    }

    /// The home folder.
    ///
    /// - Throws: ``Status/param`` if HOME is not set to one.
    package func home() throws(KeychainError) -> String {
        guard let home = try path("HOME") else {
            throw KeychainError(
                .param, "HOME is not set", hint: "set HOME to your home folder")
        }
        return home
    }

    /// The folder of configurations: XDG_CONFIG_HOME, else `.config` in the home folder.
    package func configurations() throws(KeychainError) -> String {
        // The XDG specification has relative paths ignored.
        if let folder = value("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
            return folder
        }
        return "\(try home())/.config"
    }

    /// Whether a program is found along PATH.
    package func finds(_ program: String) -> Bool { path(ofProgram: program) != nil }

    /// Where a program is found along PATH, nil if it is not.
    package func path(ofProgram program: String) -> String? {
        (value("PATH") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
            .map { "\($0)/\(program)" }.first(where: SystemCalls.isExecutable)
    }

    /// Whether jobs find a program: those of cron and systemd, and what runs over SSH without a terminal.
    package func jobsFind(_ program: String) -> Bool {
        jobFolders.contains { SystemCalls.isExecutable("\($0)/\(program)") }
    }

    /// The path of a program of ours beside the running one, if it can be run.
    package func path(ofNeighbour program: String) -> String? {
        guard let programFolder, SystemCalls.isExecutable("\(programFolder)/\(program)") else {
            return nil
        }
        return "\(programFolder)/\(program)"
    }

    /// The variables of this process.
    package static func ofProcess() -> [String: String] {
        var variables: [String: String] = [:]
        // Safe: `environ` ends with NULL, its texts with a NUL, and are copied; no thread changes
        // it.
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            // What is not UTF-8 is of no use for a path here.
            if let text = unsafe String(validatingCString: entry),
                let sign = text.firstIndex(of: "=")
            {
                variables[String(text[..<sign])] = String(text[text.index(after: sign)...])
            }
            unsafe next += 1
        }
        return variables
    }
}
