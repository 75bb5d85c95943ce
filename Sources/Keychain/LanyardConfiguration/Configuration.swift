public import KeychainServices

/// The user's configuration: the file, and the environment, which overrides it.
public struct Configuration: Sendable {
    /// A value and its origin.
    public struct Setting: Equatable, Sendable {
        /// The name as in the file, for example `lanyard.default`.
        public let name: String
        /// The value, nil if there is none.
        public let value: String?
        /// For example `LANYARD_KEYCHAIN`, or the file's path and the line.
        public let origin: String
    }

    /// The folders in use.
    public let places: Places
    let entries: [ConfigurationSyntax.Entry]
    /// LANYARD_KEYCHAIN.
    let environmentKeychain: String?
    /// The value about to be written, if this is the configuration that would result.
    private var proposedValue: String?

    /// Whether Lanyard may ask the user to unlock a keychain: yes, unless LANYARD_NO_PROMPT is set.
    package private(set) var mayAsk: Bool

    /// The most milliseconds to wait for a keychain, nil for the usual limits.
    package private(set) var patience: Int64?

    /// Reads the user's configuration. Without a file every setting has its default.
    ///
    /// - Throws: ``Status/param`` if the file is invalid, ``Status/writePermissions`` if other
    ///   users can write it.
    public init() throws(KeychainError) {
        try self.init(places: Places())
    }

    /// Reads the configuration in these folders.
    public init(places: Places) throws(KeychainError) {
        self.places = places
        environmentKeychain = try Environment.value("LANYARD_KEYCHAIN")
        mayAsk = try Environment.value("LANYARD_NO_PROMPT") == nil
        guard let bytes = try ConfigurationFile.read(Configuration.file(places)) else {
            entries = []
            return
        }
        do throws(KeychainError) {
            entries = try ConfigurationSyntax(bytes).entries
        } catch {
            throw KeychainError(
                error.status, "\(error.reason): '\(Configuration.file(places))'",
                hint: error.hint)
        }
    }

    /// The same configuration, but without asking the user.
    package var withoutAsking: Configuration {
        var configuration = self
        configuration.mayAsk = false
        return configuration
    }

    /// Returns the same configuration for a program whose client does not wait long.
    ///
    /// - Parameter milliseconds: The most that each keychain of the search list may take; nil for the usual limits.
    package func answering(within milliseconds: Int64?) -> Configuration {
        var configuration = self
        configuration.patience = milliseconds
        return configuration
    }

    /// Creates the configuration that these bytes in the file would give.
    init(
        places: Places, proposed bytes: [UInt8], _ value: String
    ) throws(KeychainError) {
        self.places = places
        // Only the file counts here.
        environmentKeychain = nil
        mayAsk = false
        entries = try ConfigurationSyntax(bytes).entries
        proposedValue = value
    }

    /// Returns the configuration file's path.
    public static func file(_ places: Places) -> String { "\(places.configuration)/config" }

    /// The keychain that is created if it does not exist.
    public static let login = "login"

    /// Returns the option that names a keychain in a command of a hint: nothing for the one that
    /// ``sealedKeychain(flag:)`` chooses without it.
    package func option(forKeychain name: String) -> String {
        (try? sealedKeychain(flag: nil)) == name ? "" : " --keychain \(name)"
    }

    /// `lanyard.default`, nil if it is not set.
    var chosenDefault: String? { setting("lanyard", nil, "default", default: nil).value }

    var chosenDefaultOrigin: String { setting("lanyard", nil, "default", default: nil).origin }

    var searchListSetting: Setting { setting("lanyard", nil, "searchList", default: nil) }

    var fallbackSetting: Setting { setting("lanyard", nil, "fallback", default: nil) }

    /// Returns the accessibility of new items: `lanyard.accessible`, by the codes of Keychain
    /// Services, or whenUnlocked.
    ///
    /// - Throws: ``Status/param`` if the code is invalid.
    public func accessible() throws(KeychainError) -> Accessibility {
        let setting = setting("lanyard", nil, "accessible", default: "ak")
        guard let accessible = setting.value.flatMap({ Accessibility(code: $0) }) else {
            throw KeychainError(
                .param, "lanyard.accessible is not an accessibility code (\(setting.origin))",
                hint: "use one of \(Accessibility.allCases.map { $0.code }.joined(separator: ", "))"
            )
        }
        return accessible
    }

    /// Returns whether the passphrase of a keychain opens it on any machine:
    /// `keychain.NAME.portable`, nil if it is not set.
    ///
    /// - Throws: ``Status/param`` if it is neither true nor false.
    public func isPortable(keychain name: String) throws(KeychainError) -> Bool? {
        try isTrue("portable", ofKeychain: name)
    }

    /// Returns the name that programs show for a keychain in the Secret Service: `keychain.NAME.label`, nil if it is
    /// not set.
    public func label(ofKeychain name: String) -> String? {
        setting("keychain", name, "label", default: nil).value
    }

    /// Returns whether the uses of a keychain's items are logged: `keychain.NAME.log`, otherwise
    /// `lanyard.log`, or no.
    ///
    /// - Throws: ``Status/param`` if it is neither true nor false.
    public func logsUses(ofKeychain name: String) throws(KeychainError) -> Bool {
        guard entries.contains(where: { $0.key == "log" }) else {
            return false
        }
        if let own = try isTrue("log", ofKeychain: name) {
            return own
        }
        return try isTrue("lanyard", nil, "log") ?? false
    }

    /// Returns the place of the keychain with a name: the value of `keychain.NAME.file`, otherwise
    /// a file in the data folder.
    ///
    /// - Throws: ``Status/param`` for an invalid name or file, and for a keychain that is not a
    ///   sealed file.
    public func location(ofKeychain name: String) throws(KeychainError) -> KeychainLocation {
        let standard = try places.keychain(name)
        let kind = try kind(ofKeychain: name)
        guard kind == .sealed else {
            throw KeychainError(
                .param,
                "'\(name)' is a keychain of kind '\(kind.name)', not a sealed file",
                hint: "name a sealed one with --keychain")
        }
        guard let file = setting("keychain", name, "file", default: nil).value else {
            return standard
        }
        guard file.hasPrefix("/") else {
            throw KeychainError(
                .param, "the file of keychain '\(name)' is not an absolute path",
                hint: "use a path that begins with '/'")
        }
        return KeychainLocation(file: file, stateFolder: places.state, name: name)
    }

    /// The names of the keychains with their own section, each once, in their order.
    public var namedKeychains: [String] { names(ofSections: "keychain") }

    /// The names of the sections of a kind, each once, in their order.
    func names(ofSections kind: String) -> [String] {
        var names: [String] = []
        for entry in entries where entry.section == kind {
            if let name = entry.subsection, !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    /// Returns a setting; the last entry of a name counts, as in git.
    func setting(
        _ section: String, _ subsection: String?, _ key: String, default: String?
    ) -> Setting {
        let entry = entries.last {
            $0.section == section && $0.subsection == subsection
                && $0.key == key.lowercased()
        }
        return Setting(
            name: name(section, subsection, key), value: entry.map { $0.value ?? "" } ?? `default`,
            origin: entry.map(origin) ?? "default")
    }

    func name(_ section: String, _ subsection: String?, _ key: String) -> String {
        subsection.map { "\(section).\($0).\(key)" } ?? "\(section).\(key)"
    }

    func origin(_ entry: ConfigurationSyntax.Entry) -> String {
        if let proposedValue, entry.value == proposedValue {
            return "'\(proposedValue)'"
        }
        return "\(Configuration.file(places)):\(entry.line)"
    }
}
