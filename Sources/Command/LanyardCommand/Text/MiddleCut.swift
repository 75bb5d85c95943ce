internal import LanyardPrompting

extension String {
    /// Returns the text, cut if it exceeds the columns: its start and its end with `…` between them, at a
    /// space if one is near. A URL keeps its host, which shows whom a login is for.
    ///
    /// - Parameter columns: At least 1.
    func cutInTheMiddle(to columns: Int) -> String {
        guard DisplayWidth.of(self) > columns else {
            return self
        }
        if let scheme = range(ofSchemeEnd: "://") {
            return cutAsURL(withoutScheme: self[scheme...], to: columns)
        }
        return cut(to: columns)
    }

    /// Whether this may be what ``cutInTheMiddle(to:)`` makes of a longer text.
    func isCut(of whole: String) -> Bool {
        let parts = split(separator: "…", omittingEmptySubsequences: false)
        let rest = whole.range(ofSchemeEnd: "://").map { String(whole[$0...]) }
        return [whole, rest].compactMap(\.self).contains { text in
            guard parts.count == 2 else {
                return text == self && text != whole
            }
            return text.count > parts[0].count + parts[1].count && text.hasPrefix(parts[0])
                && text.hasSuffix(parts[1])
        }
    }

    /// Returns the start and the end of the text.
    private func cut(to columns: Int) -> String {
        let room = max(columns - 1, 0)
        let end = String(reversed().prefix(fitting: room / 2).reversed())
        let start = String(prefix(fitting: room - DisplayWidth.of(end)))
        return "\(start.untilBlank)…\(end.fromBlank)"
    }

    /// Returns where the text continues after a scheme.
    private func range(ofSchemeEnd mark: String) -> Index? {
        let scheme = prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        let rest = self[scheme.endIndex...]
        return !scheme.isEmpty && rest.hasPrefix(mark)
            ? index(scheme.endIndex, offsetBy: mark.count) : nil
    }

    /// Returns a URL with as much of its path as fits next to the host. The scheme https is dropped if necessary, and
    /// another one only if it needs half of the room; at last only the end of the host remains, which identifies its
    /// owner.
    private func cutAsURL(withoutScheme rest: Substring, to columns: Int) -> String {
        let authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        let scheme = self[..<rest.startIndex]
        // Rows of several schemes have to differ.
        let isKept = scheme != "https://" && scheme.count * 2 < columns
        let kept = isKept ? scheme : ""
        // After a scheme, enough of the path has to fit to tell paths apart.
        for (start, least) in [(scheme + authority, 10), (kept + authority, 3)] {
            let room = columns - DisplayWidth.of(start)
            if DisplayWidth.of(path) <= room {
                return String(start + path)
            }
            if room >= least {
                let end = String(path.reversed().prefix(fitting: room - 2).reversed())
                return "\(start)/…\(end)"
            }
        }
        let room = columns - kept.count
        let width = DisplayWidth.of(authority)
        guard width > room else {
            return width < room ? "\(kept)\(authority)…" : "\(kept)\(authority)"
        }
        return "\(kept)…" + String(authority.reversed().prefix(fitting: room - 1).reversed())
    }

    /// The text up to its last space, if that is in its second half.
    private var untilBlank: Substring {
        guard let blank = lastIndex(of: " "), distance(from: startIndex, to: blank) >= count / 2
        else {
            return self[...]
        }
        return self[...blank]
    }

    /// The text from its first space on, if that is in its first half.
    private var fromBlank: Substring {
        guard let blank = firstIndex(of: " "), distance(from: startIndex, to: blank) <= count / 2
        else {
            return self[...]
        }
        return self[blank...]
    }
}

extension Sequence<Character> {
    /// Returns as many of the first characters as fit.
    fileprivate func prefix(fitting columns: Int) -> [Character] {
        var rest = columns
        return Array(
            prefix { character in
                rest -= DisplayWidth.of(character)
                return rest >= 0
            })
    }
}
