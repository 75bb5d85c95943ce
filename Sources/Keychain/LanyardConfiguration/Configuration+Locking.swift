public import KeychainServices

// When keychains lock.
extension Configuration {
    var autolockSetting: Setting {
        setting("lanyard", nil, "autolock", default: "8h")
    }

    /// Returns how long an unlocked keychain stays unlocked, unless it has a setting of its own:
    /// `lanyard.autolock`, or eight hours.
    ///
    /// - Throws: ``Status/param`` if that is not a time.
    public func autolock() throws(KeychainError) -> TimeOut {
        try timeOut(autolockSetting)
    }

    /// Returns how long a keychain stays unlocked: `keychain.NAME.autolock`, or ``autolock()``.
    ///
    /// - Throws: ``Status/param`` if that is not a time.
    public func autolock(ofKeychain name: String) throws(KeychainError) -> TimeOut {
        let own = setting("keychain", name, "autolock", default: nil)
        return try own.value == nil ? autolock() : timeOut(own)
    }

    /// Returns whether a keychain locks before the machine sleeps: `keychain.NAME.lockOnSleep`, or no.
    ///
    /// - Throws: ``Status/param`` if it is neither true nor false.
    public func locksOnSleep(keychain name: String) throws(KeychainError) -> Bool {
        try isTrue("lockOnSleep", ofKeychain: name) ?? false
    }

    /// Returns whether a keychain locks with the screen: `keychain.NAME.lockOnScreenLock`, or no.
    ///
    /// - Throws: ``Status/param`` if it is neither true nor false.
    public func locksOnScreenLock(keychain name: String) throws(KeychainError) -> Bool {
        try isTrue("lockOnScreenLock", ofKeychain: name) ?? false
    }

    /// Returns the value of a setting of a keychain that is true or false, nil if it is not set.
    func isTrue(_ key: String, ofKeychain name: String) throws(KeychainError) -> Bool? {
        try isTrue("keychain", name, key)
    }

    /// Returns the value of a setting that is true or false, nil if it is not set.
    func isTrue(
        _ section: String, _ subsection: String?, _ key: String
    ) throws(KeychainError) -> Bool? {
        let setting = setting(section, subsection, key, default: nil)
        switch setting.value?.lowercased() {
        case nil: return nil
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default:
            throw KeychainError(
                .param, "\(setting.name) must be true or false (\(setting.origin))")
        }
    }

    private func timeOut(_ setting: Setting) throws(KeychainError) -> TimeOut {
        do throws(KeychainError) {
            return try TimeOut(parsing: setting.value ?? "")
        } catch {
            throw KeychainError(
                .param, "\(setting.name) is not a duration (\(setting.origin))", hint: error.hint)
        }
    }
}
