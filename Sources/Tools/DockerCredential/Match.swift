/// How well an item matches a URL: the smaller, the better.
enum Match: Int, Comparable {
    /// It was stored under exactly this text.
    case exact
    /// Its URL is equivalent.
    case equal
    /// It is for the registry that the URL has a path on.
    case withoutPath
    /// It is for a path on the registry that the URL names.
    case withPath

    /// Compares a stored URL with the requested one; nil without a match.
    init?(stored: RegistryURL, asked: RegistryURL) {
        if stored.text == asked.text {
            self = .exact
            return
        }
        guard let stored = stored.meaning, let asked = asked.meaning,
            stored.hasSameRegistry(as: asked)
        else {
            return nil
        }
        if stored.path == asked.path {
            self = .equal
        } else if stored.isTokenKey || asked.isTokenKey {
            return nil
        } else if stored.path == nil {
            self = .withoutPath
        } else if asked.path == nil {
            self = .withPath
        } else {
            return nil
        }
    }

    /// Whether erasing the URL erases an item with this match.
    var isErased: Bool { self <= .equal }

    static func < (left: Match, right: Match) -> Bool { left.rawValue < right.rawValue }
}
