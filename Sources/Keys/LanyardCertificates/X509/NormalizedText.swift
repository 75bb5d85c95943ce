@_spi(_Unicode) private import Swift

extension String {
    /// The text as names are compared: in capital letters, decomposed, with single spaces between words, without
    /// invisible characters. Forms that are only compatible, as fullwidth letters, stay different.
    ///
    /// RFC 5280, section 7.1; RFC 4518, section 2.
    var normalizedForNames: String {
        // Nearly all names are plain ASCII, and decomposing a text is slow.
        let isPlain = utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        let folded = isPlain ? asciiCapitals : capitals
        let words = folded.utf8.split(separator: UInt8(ascii: " "))
        return String(
            decoding: Array(words.joined(separator: [UInt8(ascii: " ")])), as: UTF8.self)
    }

    private var asciiCapitals: String {
        String(
            decoding: utf8.map {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 0x20 : $0
            }, as: UTF8.self)
    }

    private var capitals: String {
        var scalars = UnicodeScalarView()
        // The library's decomposition, which it does not make public: this needs no table of ours.
        for scalar in _nfd {
            if scalar.isSpaceOfNames {
                scalars.append(" ")
            } else if !scalar.isIgnoredInNames {
                scalars.append(contentsOf: scalar.folded.unicodeScalars)
            }
        }
        // Some capitals are composed.
        var decomposed = UnicodeScalarView()
        for scalar in String(scalars)._nfd {
            decomposed.append(scalar)
        }
        return String(decomposed)
    }
}

extension Unicode.Scalar {
    /// The capitals of a letter. Those of its small letter first, because a capital sharp s has no others.
    fileprivate var folded: String {
        // The dotless i is no other form of i.
        value == 0x131 ? String(self) : properties.lowercaseMapping.uppercased()
    }

    /// What counts as a space: RFC 4518, section 2.2.
    fileprivate var isSpaceOfNames: Bool {
        switch properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: true
        default: (0x09...0x0D).contains(value) || value == 0x85
        }
    }

    /// What names have only for their looks: RFC 4518, section 2.2.
    fileprivate var isIgnoredInNames: Bool {
        switch properties.generalCategory {
        case .control, .format: true
        default:
            switch value {
            case 0x34F, 0x1806, 0x180B...0x180D, 0xFE00...0xFE0F, 0xFFFC: true
            default: false
            }
        }
    }
}
