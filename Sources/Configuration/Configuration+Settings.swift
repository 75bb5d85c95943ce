public import KeychainServices

extension Configuration {
    /// The keys that mean something in the section `[lanyard]`.
    static let keys = [
        "default", "searchList", "fallback", "accessible", "autolock", "timeout",
    ]
    /// The keys that mean something in the section of a keychain in a sealed file.
    static let sealedKeys = ["kind", "file", "portable"]

    /// Everything that is in force, defaults included.
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
        ]
        for name in namedKeychains {
            settings.append(setting("keychain", name, "kind", default: "sealed"))
            for key in keys(ofKeychain: name) where key != "kind" {
                settings.append(setting("keychain", name, key, default: nil))
            }
        }
        return settings.filter { $0.value != nil }
    }

    /// The names of all settings that mean something here.
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

    /// The keys in a keychain's section: the known ones of a sealed file, all of another's, which are
    /// its plugin's.
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

    /// The names of settings that mean something, among which one may be that was meant by another name.
    public static func settingNames(like name: String) -> [String] {
        let keychain = name.split(separator: ".").dropFirst().dropLast().joined(separator: ".")
        return keys.map { "lanyard.\($0)" }
            + (keychain.isEmpty ? [] : sealedKeys.map { "keychain.\(keychain).\($0)" })
    }

    /// What is wrong with values that mean something.
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
        check { () throws(KeychainError) in
            let list = try searchList()
            for name in list.names + [list.fallback].compactMap(\.self) {
                try checkIsKnown(name)
            }
        }
        for name in namedKeychains {
            check { () throws(KeychainError) in _ = try kind(ofKeychain: name) }
            check { () throws(KeychainError) in _ = try isPortable(keychain: name) }
        }
        return mistakes
    }

    /// The names and lines of entries in our sections that mean nothing.
    public var unknownSettings: [Setting] {
        entries.filter { entry in
            switch (entry.section, entry.subsection) {
            case ("lanyard", nil):
                !Configuration.keys.contains { $0.lowercased() == entry.key }
            case ("lanyard", _): true
            case ("keychain", let name?): !keys(ofKeychain: name).contains(entry.key)
            case ("keychain", nil): true
            default: false
            }
        }.map { entry in
            Setting(
                name: name(entry.section, entry.subsection, entry.key), value: entry.value,
                origin: origin(entry))
        }
    }
}
