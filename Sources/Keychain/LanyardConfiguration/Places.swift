public import KeychainServices

/// The folders of the configuration, the keychains and the machine key.
public struct Places: Hashable, Sendable {
    /// The folder of the configuration file.
    public let configuration: String
    /// The folder of the keychains.
    public let data: String
    /// The folder of the machine key.
    public let state: String

    /// Creates the places that the environment sets: under LANYARD_HOME if that is set, otherwise
    /// under XDG_CONFIG_HOME, XDG_DATA_HOME and XDG_STATE_HOME, or their defaults under HOME.
    ///
    /// - Parameter userHome: The user's home folder, an absolute path; nil for the value of HOME.
    /// - Throws: ``Status/param`` if a required variable is missing or has a relative path.
    public init(userHome: String? = nil) throws(KeychainError) {
        if let home = try Places.absolutePath("LANYARD_HOME") {
            self.init(home: home)
            return
        }
        self.init(
            configuration: try Places.folder("XDG_CONFIG_HOME", or: ".config", under: userHome),
            data: try Places.folder("XDG_DATA_HOME", or: ".local/share", under: userHome),
            state: try Places.folder("XDG_STATE_HOME", or: ".local/state", under: userHome))
    }

    /// Creates the places for a value of LANYARD_HOME.
    init(home: String) {
        self.init(configuration: "\(home)/config", data: "\(home)/data", state: "\(home)/state")
    }

    private init(configuration: String, data: String, state: String) {
        self.configuration = configuration
        self.data = data
        self.state = state
    }

    /// Returns the place of the keychain with a name.
    ///
    /// - Throws: ``Status/param`` for a name with other characters than letters, digits, `.`, `_`
    ///   and `-`, or one that begins with `.` or `-`.
    public func keychain(_ name: String) throws(KeychainError) -> KeychainLocation {
        let allowed = name.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
        guard allowed, let first = name.utf8.first,
            first != UInt8(ascii: "."), first != UInt8(ascii: "-"), name.utf8.count <= 64
        else {
            throw KeychainError(
                .param, "invalid keychain name",
                hint: "use up to 64 letters, digits, '_', '-' and '.'")
        }
        return KeychainLocation(file: "\(data)/\(name).keychain", stateFolder: state, name: name)
    }

    private static func folder(
        _ variable: String, or path: String, under userHome: String?
    ) throws(KeychainError) -> String {
        // The XDG specification says to ignore relative paths.
        if let folder = try Environment.value(variable), folder.hasPrefix("/") {
            return "\(folder)/lanyard"
        }
        let home: String? = if let userHome { userHome } else { try absolutePath("HOME") }
        guard let home else {
            throw KeychainError(
                .param, "neither HOME nor LANYARD_HOME is set",
                hint: "set HOME to your home folder, or LANYARD_HOME to a folder for lanyard")
        }
        // "/" is the home folder in some containers.
        let end = home.utf8.lastIndex { $0 != UInt8(ascii: "/") }
        return "\(end.map { home[...$0] } ?? "")/\(path)/lanyard"
    }

    private static func absolutePath(_ variable: String) throws(KeychainError) -> String? {
        guard let path = try Environment.value(variable) else {
            return nil
        }
        guard path.hasPrefix("/") else {
            throw KeychainError(
                .param, "\(variable) is not an absolute path",
                hint: "set \(variable) to a path that begins with '/'")
        }
        return path
    }
}
