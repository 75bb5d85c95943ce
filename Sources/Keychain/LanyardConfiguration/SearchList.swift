/// The keychains to search, and the one that gets new items.
public struct SearchList: Equatable, Sendable {
    /// The keychains' names in search order; each once, at least one.
    public let names: [String]
    /// The keychain that gets new items; nil for the first usable one.
    public let defaultName: String?
    /// The keychain that gets new items if the default one can't be used; nil for none.
    public let fallback: String?
    /// Whether the user chose them. Otherwise unusable ones are skipped silently.
    public let isChosen: Bool
    /// Whether it is one keychain named for this call.
    package let isExplicit: Bool
    /// The origin of the list: the file's path and the line, a variable, or `default`.
    public let origin: String

    /// Returns the list for a keychain named for one call.
    static func only(_ name: String, origin: String) -> SearchList {
        SearchList(
            names: [name], defaultName: name, fallback: nil, isChosen: true,
            isExplicit: true, origin: origin)
    }
}
