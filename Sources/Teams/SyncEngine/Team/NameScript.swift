/// The script of the letters of a name. Letters of one script can look like those of another: Cyrillic `а` like Latin `a`.
package enum NameScript: String, CaseIterable, Sendable {
    case latin = "Latin"
    case greek = "Greek"
    case cyrillic = "Cyrillic"
    case armenian = "Armenian"
    case hebrew = "Hebrew"
    case arabic = "Arabic"
    case indic = "Indic"
    case georgian = "Georgian"
    /// Names in Chinese, Japanese and Korean mix these, and Latin ones, in the ordinary way.
    case eastAsian = "East Asian"
    /// Any other, and the letters of mathematics.
    case other = "other"

    private static let ranges: [(ClosedRange<UInt32>, NameScript)] = [
        (0x0041...0x024F, .latin), (0x0250...0x02FF, .other), (0x0370...0x03FF, .greek),
        (0x0400...0x052F, .cyrillic), (0x0530...0x058F, .armenian), (0x0590...0x05FF, .hebrew),
        (0x0600...0x077F, .arabic), (0x08A0...0x08FF, .arabic), (0x0900...0x0DFF, .indic),
        (0x10A0...0x10FF, .georgian), (0x1100...0x11FF, .eastAsian), (0x1C80...0x1C8F, .cyrillic),
        (0x1E00...0x1EFF, .latin), (0x1F00...0x1FFF, .greek), (0x2DE0...0x2DFF, .cyrillic),
        (0x2E80...0x31FF, .eastAsian), (0x3400...0x9FFF, .eastAsian), (0xA640...0xA69F, .cyrillic),
        (0xA960...0xA97F, .eastAsian), (0xAC00...0xD7FF, .eastAsian), (0xF900...0xFAFF, .eastAsian),
        (0xFB1D...0xFB4F, .hebrew), (0xFB50...0xFDFF, .arabic), (0xFE70...0xFEFF, .arabic),
        (0xFF66...0xFFDC, .eastAsian), (0x20000...0x3FFFF, .eastAsian),
    ]

    /// Returns the scripts of a text's letters; digits, signs and accents have none.
    package static func scripts(of text: String) -> Set<NameScript> {
        Set(
            text.unicodeScalars.lazy.filter { $0.properties.isAlphabetic }.map { letter in
                ranges.first { $0.0.contains(letter.value) }?.1 ?? .other
            })
    }

    /// Whether a text's letters are of several scripts, of which one may be meant to look like another.
    package static func isMixed(_ text: String) -> Bool {
        let scripts = scripts(of: text)
        return scripts.count > 1 && scripts != [.latin, .eastAsian]
    }
}

extension DeviceCard {
    /// Whether the name of the owner or of the device mixes scripts.
    package var hasMixedScripts: Bool {
        NameScript.isMixed(person) || NameScript.isMixed(name)
    }

    /// Returns the scripts of the owner's name if the names of all other owners are in others: it may only look like one
    /// of them. Names that mix scripts don't count.
    package func unusualScripts(among others: [DeviceCard]) -> Set<NameScript> {
        let own = NameScript.scripts(of: person)
        let known = others.lazy.map { $0.person }
            .filter { $0 != person && !NameScript.isMixed($0) }
            .reduce(into: Set<NameScript>()) { $0.formUnion(NameScript.scripts(of: $1)) }
        return known.isEmpty || !own.isDisjoint(with: known) ? [] : own
    }
}
