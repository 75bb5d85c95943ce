import Testing

@testable import LanyardSecrets

@Suite("the parts of URLs")
struct URLPartsTests {
    /// The parts in their order, nil for an absent one.
    private func parts(_ text: String) -> [String?] {
        let bytes = Array(text.utf8)
        let parts = URLParts(bytes.span)
        return [parts.scheme, parts.user, parts.password, parts.host, parts.port, parts.rest].map {
            $0.map { String(decoding: bytes[$0], as: UTF8.self) }
        }
    }

    @Test(
        "known texts",
        arguments: [
            ("https://ada:pw@a.example:8443/x?y#z", "https ada pw a.example 8443 /x?y#z"),
            ("a.example", "- - - a.example - "), ("localhost:80/", "- - - localhost 80 /"),
            ("git+ssh://ada@[::1]:22", "git+ssh ada - [::1] 22 "), ("x://[::1]", "x - - [::1] - "),
            ("https://a@b:c@d:/", "https a@b c d  /"), ("s://:@:", "s     "),
            ("https://a?b:c@d/e", "https - - a - ?b:c@d/e"), ("s:///p:q@r", "s - -  - /p:q@r"),
            ("1s://a", "- - - 1s  //a"), ("a/b://c@d", "- - - a - /b://c@d"), ("", "- - -  - "),
        ])
    func known(text: String, expected: String) {
        #expect(parts(text).map { $0 ?? "-" }.joined(separator: " ") == expected)
    }

    @Test("joined, they are the text again")
    func joined() {
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...12)).map { _ in "as:/@[]?#0".randomElement()! })
            let parts = parts(text)
            var joined = parts[0].map { $0 + "://" } ?? ""
            joined += parts[1] ?? ""
            joined += parts[2].map { ":" + $0 } ?? ""
            joined += parts[1] == nil ? "" : "@"
            joined += (parts[3] ?? "") + (parts[4].map { ":" + $0 } ?? "") + (parts[5] ?? "")
            #expect(joined == text)
        }
    }
}
