/// In which keychains something is looked for, and which one takes new items.
public struct SearchList: Equatable, Sendable {
    /// The keychains' names in the order in which they are looked in; each once, at least one.
    public let names: [String]
    /// The keychain that new items go to; nil for the first one that can be used.
    public let defaultName: String?
    /// The keychain that new items go to where the default one can't be used; nil for none.
    public let fallback: String?
    /// Whether somebody chose them. Else what can't be used is left out without a word.
    public let isChosen: Bool
    /// Whether it is one keychain that was named for this call.
    package let isExplicit: Bool
    /// Where the list comes from: the file's path and the line, a variable, or `default`.
    public let origin: String

    /// The list of a keychain that is named for one call.
    static func only(_ name: String, origin: String) -> SearchList {
        SearchList(
            names: [name], defaultName: name, fallback: nil, isChosen: true,
            isExplicit: true, origin: origin)
    }
}
