public import KeychainServices

/// The name of a setting: `lanyard.KEY`, `keychain.NAME.KEY`, or KEY alone for the first of these.
public struct SettingName: Hashable, Sendable, CustomStringConvertible {
    let section: String
    let subsection: String?
    let key: String

    /// `lanyard.default`
    public static let defaultKeychain = SettingName("lanyard", nil, "default")
    /// `lanyard.searchList`
    public static let searchList = SettingName("lanyard", nil, "searchList")

    private init(_ section: String, _ subsection: String?, _ key: String) {
        self.section = section
        self.subsection = subsection
        self.key = key
    }

    /// The name as in the manual.
    public var description: String {
        subsection.map { "\(section).\($0).\(key)" } ?? "\(section).\(key)"
    }

    /// Reads a name; letter case counts only in the name of a keychain.
    ///
    /// - Throws: ``Status/param`` for an unknown setting.
    public init(_ text: String) throws(KeychainError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if parts.count > 2, parts[0].lowercased() == "keychain", let last = parts.last {
            let keychain = parts[1..<(parts.count - 1)].joined(separator: ".")
            self.init("keychain", keychain, try SettingName.key(last, ofKeychain: keychain))
            return
        }
        let key = parts.last ?? ""
        let isOwn = parts.count == 1 || parts.count == 2 && parts[0].lowercased() == "lanyard"
        let known = Configuration.keys.first { $0.lowercased() == key.lowercased() }
        guard isOwn, let known else {
            let names = Configuration.keys.map { "lanyard.\($0)" }
            let typed = parts.count == 1 ? "lanyard.\(text)" : text
            throw KeychainError(
                .param, "unknown setting '\(text)'",
                hint: suggestion(for: typed, among: names).map { "did you mean '\($0)'?" }
                    ?? "the settings are \(names.joined(separator: ", ")) and keychain.NAME.KEY")
        }
        self.init("lanyard", nil, known)
    }

    /// Returns the key's spelling; plugins have their own keys, so any key may be valid.
    private static func key(
        _ text: String, ofKeychain name: String
    ) throws(KeychainError) -> String {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let isKey =
            text.utf8.first.map { letters.contains($0 | 0x20) } == true
            && text.utf8.allSatisfy {
                letters.contains($0 | 0x20) || "0123456789-".utf8.contains($0)
            }
        guard isKey, !name.isEmpty else {
            throw KeychainError(
                .param, "unknown setting 'keychain.\(name).\(text)'",
                hint: "write keychain.NAME.KEY, for example keychain.work.portable")
        }
        return Configuration.sealedKeys.first { $0.lowercased() == text.lowercased() }
            ?? text.lowercased()
    }
}
