internal import Glibc
internal import HelperKit
public import Keychain
internal import LinuxSystem

/// What a setup needs to know about where it runs: the environment's variables, which say where
/// each tool's files are, and a folder of its own for the copies.
public struct SetupEnvironment: Sendable {
    /// The environment's variables.
    let variables: [String: String]
    /// The folder for records and copies.
    let folder: String

    /// The environment of this process, with lanyard's own places.
    ///
    /// - Throws: ``Status/param`` if lanyard's places can't be told.
    public init() throws(KeychainError) {
        self.init(variables: SetupEnvironment.ofProcess(), stateFolder: try Places().state)
    }

    /// An environment made of these variables.
    ///
    /// - Parameter stateFolder: The folder that a folder `setup` is made in.
    public init(variables: [String: String], stateFolder: String) {
        self.variables = variables
        folder = "\(stateFolder)/setup"
    }

    /// The value of a variable, nil if it is not set or empty.
    func value(_ name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else {
            return nil
        }
        return value
    }

    /// The path in a variable, nil if it is not set or empty.
    ///
    /// - Throws: ``Status/param`` for a relative path.
    func path(_ name: String) throws(KeychainError) -> String? {
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
    func home() throws(KeychainError) -> String {
        guard let home = try path("HOME") else {
            throw KeychainError(
                .param, "HOME is not set", hint: "set HOME to your home folder")
        }
        return home
    }

    /// The folder of configurations: XDG_CONFIG_HOME, else `.config` in the home folder.
    func configurations() throws(KeychainError) -> String {
        // The XDG specification has relative paths ignored.
        if let folder = value("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
            return folder
        }
        return "\(try home())/.config"
    }

    /// Whether a program is found along PATH.
    func finds(_ program: String) -> Bool {
        (value("PATH") ?? "").split(separator: ":").contains { folder in
            folder.hasPrefix("/") && SystemCalls.isExecutable("\(folder)/\(program)")
        }
    }

    private static func ofProcess() -> [String: String] {
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
