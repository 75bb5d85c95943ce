internal import Prompting

extension String {
    /// The text, or, if it takes more columns of a terminal than there are, its start and its end
    /// with `…` between them: cut at a blank, where one is near. A URL keeps its host, which says whom
    /// a login is for.
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

    /// The start and the end of the text.
    private func cut(to columns: Int) -> String {
        let room = max(columns - 1, 0)
        let end = String(reversed().prefix(fitting: room / 2).reversed())
        let start = String(prefix(fitting: room - DisplayWidth.of(end)))
        return "\(start.untilBlank)…\(end.fromBlank)"
    }

    /// Where the text goes on behind a scheme.
    private func range(ofSchemeEnd mark: String) -> Index? {
        let scheme = prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        let rest = self[scheme.endIndex...]
        return !scheme.isEmpty && rest.hasPrefix(mark)
            ? index(scheme.endIndex, offsetBy: mark.count) : nil
    }

    /// A URL with as much of its path as there is room for beside the host; without its scheme, where there
    /// is no room for that; at last the end of the host, the part of it that says whose it is.
    private func cutAsURL(withoutScheme rest: Substring, to columns: Int) -> String {
        let authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        let scheme = self[..<rest.startIndex]
        // Behind a scheme, there is to be enough of the path to tell one from another.
        for (start, least) in [(scheme + authority, 10), (authority, 3)] {
            let room = columns - DisplayWidth.of(start)
            if DisplayWidth.of(path) <= room {
                return String(start + path)
            }
            if room >= least {
                let end = String(path.reversed().prefix(fitting: room - 2).reversed())
                return "\(start)/…\(end)"
            }
        }
        let width = DisplayWidth.of(authority)
        guard width > columns else {
            return width < columns ? "\(authority)…" : String(authority)
        }
        return "…" + String(authority.reversed().prefix(fitting: columns - 1).reversed())
    }

    /// The text up to its last blank, if that is in its second half.
    private var untilBlank: Substring {
        guard let blank = lastIndex(of: " "), distance(from: startIndex, to: blank) >= count / 2
        else {
            return self[...]
        }
        return self[...blank]
    }

    /// The text from its first blank on, if that is in its first half.
    private var fromBlank: Substring {
        guard let blank = firstIndex(of: " "), distance(from: startIndex, to: blank) <= count / 2
        else {
            return self[...]
        }
        return self[blank...]
    }
}

extension Sequence<Character> {
    /// The first characters, as many as fit.
    fileprivate func prefix(fitting columns: Int) -> [Character] {
        var rest = columns
        return Array(
            prefix { character in
                rest -= DisplayWidth.of(character)
                return rest >= 0
            })
    }
}
