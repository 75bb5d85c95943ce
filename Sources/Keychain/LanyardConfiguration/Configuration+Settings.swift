public import KeychainServices

extension Configuration {
    /// The valid keys in the section `[lanyard]`.
    static let keys = [
        "default", "searchList", "fallback", "accessible", "autolock", "timeout", "log",
    ]
    /// The valid keys in the section of a keychain in a sealed file.
    static let sealedKeys = [
        "kind", "file", "portable", "autolock", "lockOnSleep", "lockOnScreenLock", "log",
        "label",
    ]

    /// All settings in effect, including defaults.
    public var settings: [Setting] {
        var settings: [Setting] = []
        if let environmentKeychain {
            settings.append(
                Setting(
                    name: "lanyard.default", value: environmentKeychain,
                    origin: "LANYARD_KEYCHAIN"))
        } else {
            settings.append(setting("lanyard", nil, "default", default: nil))
        }
        settings += [
            searchListInForce, fallbackSetting,
            setting("lanyard", nil, "accessible", default: "ak"), autolockSetting, timeoutSetting,
            setting("lanyard", nil, "log", default: "false"),
        ]
        for name in namedKeychains {
            settings.append(setting("keychain", name, "kind", default: "sealed"))
            for key in keys(ofKeychain: name) where key != "kind" {
                settings.append(setting("keychain", name, key, default: nil))
            }
        }
        return settings.filter { $0.value != nil } + profileSettings
    }

    /// The names of all valid settings here.
    public var settingNames: [String] {
        Configuration.keys.map { name("lanyard", nil, $0) }
            + namedKeychains.flatMap { keychain in
                keys(ofKeychain: keychain).map { name("keychain", keychain, $0) }
            }
    }

    private var searchListInForce: Setting {
        let list = try? searchList()
        return Setting(
            name: "lanyard.searchList",
            value: list.map { $0.names.joined(separator: " ") } ?? searchListSetting.value,
            origin: list?.origin ?? searchListSetting.origin)
    }

    /// Returns the keys in a keychain's section: the valid ones for a sealed file, all of them for
    /// a plugin, which defines its own.
    private func keys(ofKeychain name: String) -> [String] {
        guard (try? kind(ofKeychain: name)) != .sealed else {
            return Configuration.sealedKeys
        }
        var keys: [String] = []
        for entry in entries where entry.section == "keychain" && entry.subsection == name {
            if !keys.contains(entry.key) {
                keys.append(entry.key)
            }
        }
        return keys
    }

    /// Returns the names of valid settings that a mistyped name may mean.
    public static func settingNames(like name: String) -> [String] {
        let keychain = name.split(separator: ".").dropFirst().dropLast().joined(separator: ".")
        return keys.map { "lanyard.\($0)" }
            + (keychain.isEmpty ? [] : sealedKeys.map { "keychain.\(keychain).\($0)" })
    }

    /// The errors in the values of valid settings.
    public var mistakes: [KeychainError] {
        var mistakes: [KeychainError] = []
        func check(_ body: () throws(KeychainError) -> Void) {
            do throws(KeychainError) {
                try body()
            } catch {
                mistakes.append(error)
            }
        }
        check { () throws(KeychainError) in _ = try accessible() }
        check { () throws(KeychainError) in _ = try autolock() }
        check { () throws(KeychainError) in _ = try timeout() }
        check { () throws(KeychainError) in _ = try isTrue("lanyard", nil, "log") }
        check { () throws(KeychainError) in
            let list = try searchList()
            for name in list.names + [list.fallback].compactMap({ $0 }) {
                try checkIsKnown(name)
            }
        }
        check { () throws(KeychainError) in _ = try programProfiles() }
        for name in namedKeychains {
            check { () throws(KeychainError) in _ = try kind(ofKeychain: name) }
            guard (try? kind(ofKeychain: name)) == .sealed else {
                continue
            }
            if let other = try? otherKeychain(withFileOf: name) {
                mistakes.append(
                    KeychainError(
                        .param, "the keychains '\(name)' and '\(other)' have the same file",
                        hint: "lanyard keychain delete \(name) removes that name alone"))
            }
            check { () throws(KeychainError) in _ = try isPortable(keychain: name) }
            check { () throws(KeychainError) in _ = try autolock(ofKeychain: name) }
            check { () throws(KeychainError) in _ = try locksOnSleep(keychain: name) }
            check { () throws(KeychainError) in _ = try locksOnScreenLock(keychain: name) }
            check { () throws(KeychainError) in _ = try isTrue("log", ofKeychain: name) }
        }
        return mistakes
    }

    /// The names and lines of unknown entries in our sections.
    public var unknownSettings: [Setting] {
        entries.filter { entry in
            switch (entry.section, entry.subsection) {
            case ("lanyard", nil):
                !Configuration.keys.contains { $0.lowercased() == entry.key }
            case ("lanyard", _): true
            case ("keychain", let name?):
                !keys(ofKeychain: name).contains { $0.lowercased() == entry.key }
            case ("profile", _?): !Configuration.profileKeys.contains(entry.key)
            case ("keychain", nil), ("profile", nil): true
            default: false
            }
        }.map { entry in
            Setting(
                name: name(entry.section, entry.subsection, entry.key), value: entry.value,
                origin: origin(entry))
        }
    }
}
