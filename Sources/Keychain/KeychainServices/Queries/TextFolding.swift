@_spi(_Unicode) private import Swift

extension MatchOptions {
    /// Returns a text without the differences that these options ignore.
    func folded(_ text: ByteString) -> [UInt8] {
        guard var string = String(validating: text.bytes, as: UTF8.self) else {
            return caseInsensitive == true ? text.lowercasedASCII.bytes : text.bytes
        }
        if widthInsensitive == true {
            string = string.withNormalWidth
        }
        if diacriticInsensitive == true {
            string = string.withoutMarks
        }
        return Array((caseInsensitive == true ? string.lowercased() : string).utf8)
    }
}

extension String {
    /// The canonical decomposition without nonspacing marks.
    fileprivate var withoutMarks: String {
        var scalars = UnicodeScalarView()
        // The library's decomposition, which it does not make public: this needs no table of ours.
        for scalar in _nfd where scalar.properties.generalCategory != .nonspacingMark {
            scalars.append(scalar)
        }
        return String(scalars)
    }

    /// The text with fullwidth ASCII and halfwidth katakana replaced by the normal characters. A
    /// halfwidth sound mark becomes the combining one, which canonical equivalence then joins with
    /// its letter.
    fileprivate var withNormalWidth: String {
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars {
            scalars.append(scalar.withNormalWidth)
        }
        var composed = UnicodeScalarView()
        for scalar in String(scalars)._nfd {
            composed.append(scalar)
        }
        return String(composed)
    }
}

extension Unicode.Scalar {
    /// The first halfwidth katakana, and all of them in the order of their codes.
    private static let firstKatakana: UInt32 = 0xFF61
    private static let katakana =
        Array(
            "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
                .unicodeScalars) + ["\u{3099}", "\u{309A}"]

    fileprivate var withNormalWidth: Unicode.Scalar {
        switch value {
        case 0xFF01...0xFF5E: return Unicode.Scalar(value - 0xFEE0)!
        case 0x3000: return " "
        case Self.firstKatakana..<Self.firstKatakana + UInt32(Self.katakana.count):
            return Self.katakana[Int(value - Self.firstKatakana)]
        default: return self
        }
    }
}
