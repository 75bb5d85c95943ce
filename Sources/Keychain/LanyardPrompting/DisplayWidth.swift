/// Measures how many terminal columns a text takes.
///
/// Terminals agree on letters, accents, East Asian characters and single emoji, but not on combinations of
/// several.
public enum DisplayWidth {
    /// Returns the columns of a text without control characters.
    public static func of(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// Returns the columns of one visible character: the sum of its parts, except that joined signs and
    /// variants take only the columns of the first sign.
    public static func of(_ character: Character) -> Int {
        var columns = 0
        var isJoined = false
        for scalar in character.unicodeScalars {
            if scalar.value == zeroWidthJoiner {
                isJoined = true
            } else if scalar.value == emojiVariation {
                columns = max(columns, 2)
            } else if !isJoined, columns == 0 || !scalar.properties.isEmojiModifier {
                columns += of(scalar)
            }
        }
        return columns
    }

    /// Returns the columns of a single code point: 0, 1 or 2, as in wcwidth(3).
    static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII {
            return 1
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        // A soft hyphen in the text is visible.
        case .format: return scalar.value == softHyphen ? 1 : 0
        default: break
        }
        if closingJamo.contains(scalar.value) {
            return 0
        }
        return isWide(scalar) ? 2 : 1
    }

    private static let zeroWidthJoiner: UInt32 = 0x200D
    private static let emojiVariation: UInt32 = 0xFE0F
    private static let softHyphen: UInt32 = 0xAD
    /// Vowels and finals of Hangul, which join the block of the initial before them.
    private static let closingJamo: ClosedRange<UInt32> = 0x1160...0x11FF

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        // A flag consists of two of these letters, and takes two columns.
        if (0x1F1E6...0x1F1FF).contains(scalar.value) {
            return false
        }
        return scalar.properties.isEmojiPresentation
            || wide.contains { $0.contains(scalar.value) }
    }

    /// The wide and full-width code points apart from emoji: Unicode Standard Annex 11.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
        0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
        0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
