public import KeychainServices

extension Configuration {
    /// Returns the value of a setting in effect, including a default; nil if there is none.
    public func value(of name: SettingName) -> String? {
        settings.first { $0.name == "\(name)" }?.value
            ?? setting(name.section, name.subsection, name.key, default: nil).value
    }

    /// Sets a value in the file.
    ///
    /// - Throws: ``Status/param`` for an invalid value, ``Status/noSuchKeychain`` for a keychain
    ///   that does not exist; then nothing is written. As ``setDefaultKeychain(_:)``.
    public mutating func set(_ name: SettingName, to value: String) throws(KeychainError) {
        // The settings that define a keychain can come before it exists.
        if let keychain = name.subsection, name.key != "kind", name.key != "file" {
            try checkIsKnown(keychain)
        }
        let places = places
        try change { text throws(KeychainError) in
            try text.set(name.section, name.subsection, name.key, value)
            try Configuration(places: places, proposed: text.bytes, value).check(name)
        }
    }

    /// Removes a setting from the file.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: As ``setDefaultKeychain(_:)``.
    public mutating func unset(_ name: SettingName) throws(KeychainError) -> Bool {
        guard setting(name.section, name.subsection, name.key, default: nil).value != nil else {
            return false
        }
        try change { text throws(KeychainError) in
            try text.remove(name.section, name.subsection, name.key)
        }
        return true
    }

    /// Throws unless the value of a setting is valid.
    private func check(_ name: SettingName) throws(KeychainError) {
        if let keychain = name.subsection {
            return try check(name.key, ofKeychain: keychain)
        }
        switch name.key {
        case "accessible": _ = try accessible()
        case "autolock": _ = try autolock()
        case "timeout": _ = try timeout()
        case "log": _ = try isTrue("lanyard", nil, "log")
        case "fallback": try checkIsKnown(fallbackSetting.value ?? "")
        case "default": try checkIsKnown(chosenDefault ?? "")
        default:
            // Checks each name, and that there is one.
            _ = try searchList()
            for keychain in searchListOfFile {
                try checkIsKnown(keychain)
            }
        }
    }

    private func check(_ key: String, ofKeychain name: String) throws(KeychainError) {
        let kind = try kind(ofKeychain: name)
        guard kind == .sealed else {
            if key == "kind" || key == "plugin" {
                _ = try plugin(ofKeychain: name, kind: kind.name)
            }
            return
        }
        switch key {
        case "kind", "label": break
        case "file":
            if let other = try otherKeychain(withFileOf: name) {
                throw KeychainError(
                    .param, "keychain.\(name).file is the file of the keychain '\(other)'")
            }
        case "portable": _ = try isPortable(keychain: name)
        case "autolock": _ = try autolock(ofKeychain: name)
        case "lockOnSleep": _ = try locksOnSleep(keychain: name)
        case "lockOnScreenLock": _ = try locksOnScreenLock(keychain: name)
        case "log": _ = try isTrue("log", ofKeychain: name)
        default:
            throw KeychainError(
                .param, "keychain.\(name).\(key) has no effect: '\(name)' is a sealed file",
                hint: suggestion(for: key, among: Configuration.sealedKeys)
                    .map { "did you mean 'keychain.\(name).\($0)'?" })
        }
    }
}
