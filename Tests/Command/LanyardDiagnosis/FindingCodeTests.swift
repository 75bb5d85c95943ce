import Foundation
import Testing

@testable import LanyardDiagnosis
import TestSupport

@Suite("the codes of findings")
struct FindingCodeTests {
    /// The entries of the list in the page, each as code, severity and meaning.
    private func documented() throws -> [[String]] {
        let text = try Repository.text("man/lanyard-doctor.1")
        let start = try #require(text.range(of: "Each finding has a code"))
        let end = try #require(text.range(of: ".El", range: start.upperBound..<text.endIndex))
        let list = text[start.upperBound..<end.lowerBound]
        return list.components(separatedBy: "\n.It Li ").dropFirst().map { entry in
            // A code, and a sentence below it such as `Error: the keychain needs a home folder.`
            let words = entry.split(whereSeparator: \.isWhitespace).map(String.init)
            guard words.count > 2 else {
                return words
            }
            let meaning = words.dropFirst(2).joined(separator: " ")
            return [words[0], words[1].dropLast().lowercased(), String(meaning.dropLast())]
        }
    }

    @Test("the page lists all of them with their meanings")
    func areDocumented() throws {
        let codes = FindingCode.allCases.map { [$0.rawValue, $0.severity.rawValue, $0.meaning] }
        #expect(try documented() == codes)
    }

    @Test("each is a few words in lower case")
    func haveAForm() {
        for code in FindingCode.allCases {
            #expect(code.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
            #expect(!code.meaning.isEmpty && !code.meaning.hasSuffix("."))
            #expect(!code.meaning.contains("\n"))
        }
    }
}
