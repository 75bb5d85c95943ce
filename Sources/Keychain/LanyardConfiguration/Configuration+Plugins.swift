public import KeychainServices
public import KeychainPlugin

extension Configuration {
    /// How long a plugin may take for an answer: `lanyard.timeout`, or five seconds.
    var timeoutSetting: Setting { setting("lanyard", nil, "timeout", default: "5s") }

    /// Returns the milliseconds that a plugin may take for an answer.
    ///
    /// - Throws: ``Status/param`` if `lanyard.timeout` is not a time from one second to ten
    ///   minutes.
    public func timeout() throws(KeychainError) -> Int64 {
        let setting = timeoutSetting
        guard let time = try? TimeOut(parsing: setting.value ?? ""), let seconds = time.limit,
            seconds <= 600
        else {
            throw KeychainError(
                .param, "lanyard.timeout is not a duration (\(setting.origin))",
                hint: "use a duration from 1s to 10m")
        }
        return min(Int64(seconds) * 1000, patience ?? Int64.max)
    }

    /// Returns a keychain's settings for its plugin: the entries of its section, except those for
    /// Lanyard itself.
    package func pluginSettings(ofKeychain name: String) -> [(name: String, value: String)] {
        var settings: [(name: String, value: String)] = []
        for entry in entries where entry.section == "keychain" && entry.subsection == name {
            guard entry.key != "kind", entry.key != "plugin" else {
                continue
            }
            settings.removeAll { $0.name == entry.key }
            settings.append((entry.key, entry.value ?? ""))
        }
        return settings
    }

    /// Returns the path of a keychain's plugin: the value of `keychain.NAME.plugin`, otherwise
    /// Lanyard's own executable `lanyard-keychain-KIND`.
    ///
    /// - Throws: ``Status/notAvailable`` if there is none, ``Status/param`` for a relative path.
    func plugin(ofKeychain name: String, kind: String) throws(KeychainError) -> String {
        let setting = setting("keychain", name, "plugin", default: nil)
        if let path = setting.value {
            guard path.hasPrefix("/") else {
                throw KeychainError(
                    .param,
                    "keychain.\(name).plugin is not an absolute path (\(setting.origin))")
            }
            return path
        }
        guard let path = findPlugin(kind: kind) else {
            throw KeychainError(
                .notAvailable,
                "the plugin for keychains of kind '\(kind)' is not installed",
                hint: "install lanyard-keychain-\(kind) beside lanyard")
        }
        return path
    }

    /// Returns a plugin's keychain; the first request starts the plugin.
    ///
    /// - Throws: ``Status/notAvailable`` if the plugin is missing, ``Status/writePermissions`` if
    ///   other users could have written it, ``Status/param`` if the keychain has none.
    public func pluginStore(ofKeychain name: String) throws(KeychainError) -> PluginStore {
        guard case .plugin(let kind) = try kind(ofKeychain: name) else {
            throw KeychainError(.param, "the keychain '\(name)' is a sealed file")
        }
        return PluginStore(
            executable: try plugin(ofKeychain: name, kind: kind), keychain: name,
            settings: pluginSettings(ofKeychain: name), timeLimit: try timeout(),
            isPromptAllowed: mayAsk)
    }
}
