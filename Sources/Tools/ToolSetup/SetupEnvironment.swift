internal import Glibc
internal import LanyardConfiguration
package import KeychainServices
internal import LinuxSystem

/// Describes where a setup runs: the environment's variables, which locate each tool's files, and a folder
/// for the copies.
package struct SetupEnvironment: Sendable {
    /// The environment's variables.
    package let variables: [String: String]
    /// The folder for records and copies.
    let folder: String
    /// The folder of the running program, links resolved; nil if it does not matter.
    var programFolder: String?
    /// Whether the tools run as root.
    var isRoot = SystemCalls.effectiveUser == 0
    /// The PATH of jobs: that of crontab(5), which is the shortest. systemd's and sshd's start with it.
    var jobFolders = ["/usr/bin", "/bin"]
    /// The programs that did not answer, for runs that ask each only once; else nil.
    package var silent: SilentPrograms?

    /// Creates the environment of this process, with lanyard's own places.
    ///
    /// - Throws: ``Status/param`` if lanyard's places are unknown.
    package init() throws(KeychainError) {
        self.init(variables: SetupEnvironment.ofProcess(), stateFolder: try Places().state)
        programFolder = Installation()?.folder
    }

    /// Creates an environment from these variables.
    ///
    /// - Parameter stateFolder: The parent of the folder `setup`.
    package init(variables: [String: String], stateFolder: String) {
        self.variables = variables
        folder = "\(stateFolder)/setup"
    }

    /// Returns the value of a variable, nil if it is unset or empty.
    package func value(_ name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else {
            return nil
        }
        return value
    }

    /// Returns the path in a variable, nil if it is unset or empty.
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

    /// Returns the path in a variable, else one in the home folder.
    ///
    /// - Throws: ``Status/param`` for a relative path, and without a home folder.
    func path(_ variable: String, orInHome name: String) throws(KeychainError) -> String {
        if let path = try path(variable) {
            return path
        }
        return "\(try home())/\(name)"
    }

    /// Returns the home folder.
    ///
    /// - Throws: ``Status/param`` if HOME is not set to one.
    package func home() throws(KeychainError) -> String {
        guard let home = try path("HOME") else {
            throw KeychainError(
                .param, "HOME is not set", hint: "set HOME to your home folder")
        }
        return home
    }

    /// The home folder if lanyard's records are in it, which then move with it.
    var homeOfRecords: String? {
        guard let home = try? home(), folder.hasPrefix("\(home)/") else {
            return nil
        }
        return home
    }

    /// Returns the folder of configurations: XDG_CONFIG_HOME, else `.config` in the home folder.
    package func configurations() throws(KeychainError) -> String {
        // The XDG specification says to ignore relative paths.
        if let folder = value("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
            return folder
        }
        return "\(try home())/.config"
    }

    /// Returns the variable that leads a setup to a path, nil without one.
    func variable(leadingTo path: String) -> String? {
        ["GIT_CONFIG_GLOBAL", "DOCKER_CONFIG", "XDG_CONFIG_HOME"].first { name in
            value(name).map { path == $0 || path.hasPrefix("\($0)/") } ?? false
        }
    }

    /// Whether PATH contains a program.
    package func finds(_ program: String) -> Bool { path(ofProgram: program) != nil }

    /// Returns a program's path from PATH, nil if it is missing.
    package func path(ofProgram program: String) -> String? {
        SystemCalls.executable(program, inPath: value("PATH") ?? "")
    }

    /// Whether jobs find a program: those of cron and systemd, and commands over SSH without a terminal.
    package func jobsFind(_ program: String) -> Bool {
        jobFolders.contains { SystemCalls.isExecutable("\($0)/\(program)") }
    }

    /// Returns the path of one of our programs next to the running one, if it is executable.
    package func path(ofNeighbour program: String) -> String? {
        guard let programFolder, SystemCalls.isExecutable("\(programFolder)/\(program)") else {
            return nil
        }
        return "\(programFolder)/\(program)"
    }

    /// Returns the variables of this process.
    package static func ofProcess() -> [String: String] {
        var variables: [String: String] = [:]
        // Safe: `environ` ends with NULL and its texts with NUL; they are copied, and no thread changes it.
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            // Texts without valid UTF-8 are useless as paths here.
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
