public import KeychainServices
internal import LinuxSystem

extension Configuration {
    /// The name of the desktop's Secret Service as a keychain, unless the configuration says
    /// otherwise.
    public static let secretService = "secret-service"

    /// Returns the keychains in use: the one that a flag or LANYARD_KEYCHAIN names; otherwise those
    /// of `lanyard.searchList`; otherwise `lanyard.default` and `login`; otherwise the Secret
    /// Service and `login`. A default keychain that is not in the list comes first, a fallback last:
    /// what was stored there must be found.
    ///
    /// - Throws: ``Status/param`` for an invalid name.
    public func searchList(flag: String? = nil) throws(KeychainError) -> SearchList {
        if let only = flag {
            return .only(only, origin: "--keychain")
        }
        if let environmentKeychain {
            return .only(environmentKeychain, origin: "LANYARD_KEYCHAIN")
        }
        let list = searchListSetting
        let chosenDefault = chosenDefault
        var names: [String]
        if list.value != nil {
            names = searchListOfFile
        } else {
            names = chosenDefault == nil ? [Configuration.secretService] : []
            names += chosenDefault == Configuration.login ? [] : [Configuration.login]
        }
        if let chosenDefault, !names.contains(chosenDefault) {
            names.insert(chosenDefault, at: 0)
        }
        guard !names.isEmpty else {
            throw KeychainError(.param, "lanyard.searchList names no keychain (\(list.origin))")
        }
        var unique: [String] = []
        for name in names where !unique.contains(name) {
            try check(name, origin: name == chosenDefault ? chosenDefaultOrigin : list.origin)
            unique.append(name)
        }
        if let name = fallbackSetting.value, !unique.contains(name) {
            try check(name, origin: fallbackSetting.origin)
            unique.append(name)
        }
        return SearchList(
            names: unique, defaultName: chosenDefault, fallback: fallbackSetting.value,
            isChosen: list.value != nil || chosenDefault != nil, isExplicit: false,
            origin: list.origin)
    }

    /// Throws unless a name in the configuration is valid.
    private func check(_ name: String, origin: String) throws(KeychainError) {
        guard (try? places.keychain(name)) != nil else {
            throw KeychainError(
                .param, "invalid keychain name '\(name)' (\(origin))",
                hint: "use up to 64 letters, digits, '_', '-' and '.'")
        }
    }

    /// The names in `lanyard.searchList`, separated by blanks or commas.
    var searchListOfFile: [String] { Configuration.names(inList: searchListSetting.value) }

    /// Returns the names in a value of `lanyard.searchList`, none for nil.
    static func names(inList value: String?) -> [String] {
        (value ?? "").split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" })
            .map { String($0) }
    }

    /// Returns the name of the sealed keychain for a command about passphrases and locks: the one
    /// that a flag names, otherwise the first sealed one in use, otherwise `login`.
    public func sealedKeychain(flag: String?) throws(KeychainError) -> String {
        if let flag {
            return flag
        }
        for name in try searchList().names {
            if try kind(ofKeychain: name) == .sealed {
                return name
            }
        }
        return Configuration.login
    }

    /// Returns the kind of a keychain: the value of `keychain.NAME.kind`, otherwise a sealed file.
    /// The name `secret-service` means the Secret Service unless such a file exists.
    ///
    /// - Throws: ``Status/param`` for an invalid name or kind.
    public func kind(ofKeychain name: String) throws(KeychainError) -> KeychainKind {
        let location = try places.keychain(name)
        let setting = setting("keychain", name, "kind", default: nil)
        guard let value = setting.value else {
            guard name == Configuration.secretService,
                self.setting("keychain", name, "file", default: nil).value == nil
            else {
                return .sealed
            }
            return (try? PrivatePlace.exists(location.file)) == true ? .sealed : .secretService
        }
        guard let kind = KeychainKind(name: value) else {
            throw KeychainError(
                .param, "keychain.\(name).kind is not a known kind (\(setting.origin))",
                hint: "use 'sealed' or 'secret-service'")
        }
        return kind
    }
}
