import Foundation

/// Words that must not be found by searching for them, each in all the forms it might have on a
/// disk.
struct ReadableForms {
    /// What each word is.
    let words: [String: String]

    /// A word as it might be written: as it is, in other cases, in hexadecimal, base64 and UTF-16.
    static func spellings(_ word: String) -> [Data] {
        func hexadecimal(_ digits: String) -> String {
            word.utf8.map { String(format: digits, $0) }.joined()
        }
        let base64 = (0..<3).map { shift in
            // Whole groups of three bytes, at each of the places where one can begin.
            let bytes = Array(word.utf8.dropFirst(shift))
            return Data(bytes.prefix(bytes.count / 3 * 3)).base64EncodedString()
        }
        let texts =
            [word, word.lowercased(), word.uppercased(), String(word.reversed())]
            + [hexadecimal("%02x"), hexadecimal("%02X")] + base64.filter { $0.count >= 8 }
        return texts.map { Data($0.utf8) } + [Data(word.utf16.flatMap { [UInt8($0 & 0xFF), 0] })]
    }

    /// What is found, as `WORD in FILE`.
    func search(_ files: [String: [UInt8]]) -> [String] {
        let spellings = words.mapValues(Self.spellings)
        return files.flatMap { name, bytes in
            let bytes = Data(bytes)
            return spellings.filter { _, spellings in
                spellings.contains { bytes.range(of: $0) != nil }
            }.map { "\($0.key) in \(name)" }
        }
    }
}
