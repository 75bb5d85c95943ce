public import KeychainServices
public import SealedStore

/// What the user has chosen: the configuration file and the environment, which overrides it.
public struct Configuration: Sendable {
    /// A value and where it comes from.
    public struct Setting: Equatable, Sendable {
        /// The name as in the file, for example `lanyard.default`.
        public let name: String
        /// The value, nil if there is none.
        public let value: String?
        /// For example `LANYARD_KEYCHAIN`, or the file's path and the line.
        public let origin: String
    }

    /// Where everything lies.
    public let places: Places
    let entries: [ConfigurationSyntax.Entry]
    /// LANYARD_KEYCHAIN.
    let environmentKeychain: String?
    /// The value that is to be written, if this is what the configuration would be with it.
    private var proposedValue: String?

    /// Whether a person may be asked for what unlocks a keychain: unless LANYARD_NO_PROMPT is set.
    package private(set) var mayAsk: Bool

    /// Reads the configuration that is in force. Without a file everything has its default.
    ///
    /// - Throws: ``Status/param`` if it can't be read as one, ``Status/writePermissions`` if others
    ///   can write it.
    public init() throws(KeychainError) {
        try self.init(places: Places())
    }

    /// Reads the configuration of these places.
    public init(places: Places) throws(KeychainError) {
        self.places = places
        environmentKeychain = try Environment.value("LANYARD_KEYCHAIN")
        mayAsk = try Environment.value("LANYARD_NO_PROMPT") == nil
        guard let bytes = try ConfigurationFile.read(Configuration.file(places)) else {
            entries = []
            return
        }
        do throws(KeychainError) {
            entries = try ConfigurationSyntax.parse(bytes)
        } catch {
            throw KeychainError(
                error.status, "\(error.reason): '\(Configuration.file(places))'")
        }
    }

    /// The same, but that nobody is asked for anything.
    package var withoutAsking: Configuration {
        var configuration = self
        configuration.mayAsk = false
        return configuration
    }

    /// What the configuration would be if the file had these bytes.
    init(
        places: Places, proposed bytes: [UInt8], _ value: String
    ) throws(KeychainError) {
        self.places = places
        // Only what is in the file is to be looked at.
        environmentKeychain = nil
        mayAsk = false
        entries = try ConfigurationSyntax.parse(bytes)
        proposedValue = value
    }

    /// The configuration file's path.
    public static func file(_ places: Places) -> String { "\(places.configuration)/config" }

    /// The keychain that is made where it does not exist.
    public static let login = "login"

    /// `lanyard.default`, or nil where that says nothing.
    var chosenDefault: String? { setting("lanyard", nil, "default", default: nil).value }

    var chosenDefaultOrigin: String { setting("lanyard", nil, "default", default: nil).origin }

    var searchListSetting: Setting { setting("lanyard", nil, "searchList", default: nil) }

    var fallbackSetting: Setting { setting("lanyard", nil, "fallback", default: nil) }

    /// The accessibility of new items: `lanyard.accessible`, by the codes of Keychain Services, or
    /// whenUnlocked.
    ///
    /// - Throws: ``Status/param`` if there is no such accessibility.
    public func accessible() throws(KeychainError) -> Accessibility {
        let setting = setting("lanyard", nil, "accessible", default: "ak")
        guard let accessible = setting.value.flatMap({ Accessibility(code: $0) }) else {
            throw KeychainError(
                .param, "lanyard.accessible is not an accessibility (\(setting.origin))",
                hint: "use one of \(Accessibility.allCases.map(\.code).joined(separator: ", "))")
        }
        return accessible
    }

    /// After how long an unlocked keychain locks itself: `lanyard.autolock`, or eight hours.
    ///
    /// - Throws: ``Status/param`` if that is not a time.
    public func autolock() throws(KeychainError) -> TimeOut {
        do throws(KeychainError) {
            return try TimeOut(parsing: autolockSetting.value ?? "")
        } catch {
            throw KeychainError(
                .param, "lanyard.autolock is not a time (\(autolockSetting.origin))",
                hint: error.hint)
        }
    }

    /// Whether the passphrase of a keychain is to open it on any machine: `keychain.NAME.portable`, nil
    /// if that says nothing.
    ///
    /// - Throws: ``Status/param`` if it is neither true nor false.
    public func isPortable(keychain name: String) throws(KeychainError) -> Bool? {
        let setting = setting("keychain", name, "portable", default: nil)
        switch setting.value?.lowercased() {
        case nil: return nil
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default:
            throw KeychainError(
                .param, "keychain.\(name).portable is neither true nor false (\(setting.origin))")
        }
    }

    var autolockSetting: Setting {
        setting("lanyard", nil, "autolock", default: "8h")
    }

    /// Where the keychain with a name lies: what `keychain.NAME.file` says, else in the folder for
    /// data.
    ///
    /// - Throws: ``Status/param`` for what can't be a name or a file, and for a keychain that is no
    ///   sealed file.
    public func location(ofKeychain name: String) throws(KeychainError) -> KeychainLocation {
        let standard = try places.keychain(name)
        let kind = try kind(ofKeychain: name)
        guard kind == .sealed else {
            throw KeychainError(
                .param,
                "the keychain '\(name)' is no sealed file, but of the kind '\(kind.name)'",
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

    /// The names of the keychains that have a section of their own, each once, in their order.
    public var namedKeychains: [String] {
        var names: [String] = []
        for entry in entries where entry.section == "keychain" {
            if let name = entry.subsection, !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    /// The last entry of a name counts, as in git.
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
