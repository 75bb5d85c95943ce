/// How well an item answers for a URL: the smaller, the better.
enum Match: Int, Comparable {
    /// It was stored under the very same text.
    case exact
    /// Its URL means the same.
    case equal
    /// It is for the registry that the URL has a path on.
    case withoutPath
    /// The URL is a registry, and it is for a path on it.
    case withPath

    /// Whether and how well what is stored under a URL answers for the URL that is asked for.
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

    /// Whether an item that matches so is meant when the URL is erased.
    var isErased: Bool { self <= .equal }

    static func < (left: Match, right: Match) -> Bool { left.rawValue < right.rawValue }
}
