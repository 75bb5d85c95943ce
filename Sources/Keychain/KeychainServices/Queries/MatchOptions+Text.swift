extension MatchOptions {
    /// Whether every text is compared byte by byte, in full.
    package var comparesBytes: Bool {
        caseInsensitive != true && hasWholeServers && diacriticInsensitive != true
            && widthInsensitive != true
    }

    /// Whether a server's name is compared in full, perhaps without letter case.
    package var hasWholeServers: Bool { textAnchor ?? .whole == .whole }

    /// The options that compare texts, all others being the defaults.
    package var textOptions: MatchOptions {
        var options = MatchOptions()
        options.caseInsensitive = caseInsensitive == true ? true : nil
        options.diacriticInsensitive = diacriticInsensitive == true ? true : nil
        options.widthInsensitive = widthInsensitive == true ? true : nil
        options.textAnchor = hasWholeServers ? nil : textAnchor
        return options
    }

    /// Whether the user may be asked on behalf of the query.
    package var mayAsk: Bool { authenticationUI ?? .allow == .allow }

    /// Whether a value of a query matches that of an item.
    func matches(
        _ wanted: AttributeValue, _ found: AttributeValue, of attribute: Attribute
    ) -> Bool {
        guard let text = wanted.text, let other = found.text else {
            return wanted == found
        }
        switch attribute.form {
        case .text where attribute == .accessGroup:
            return caseInsensitive == true ? text.isEqualIgnoringCase(other) : text == other
        case .text: return matches(folded(text), folded(other))
        case .server:
            return caseInsensitive == true
                ? matches(text.lowercasedASCII.bytes, other.lowercasedASCII.bytes)
                : matches(text.bytes, other.bytes)
        default: return text == other
        }
    }

    private func matches(_ wanted: [UInt8], _ found: [UInt8]) -> Bool {
        switch textAnchor ?? .whole {
        case .whole: wanted == found
        case .start: found.starts(with: wanted)
        case .end: found.reversed().starts(with: wanted.reversed())
        }
    }
}
