import Foundation
import Testing

/// Nothing of a login can be found in any file by searching for it.
@Suite(.timeLimit(.minutes(1)))
struct NothingReadableTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private static let words = [
        "server": "server-wombat.example", "port": "54321", "account": "account-quokka",
        "path": "path-numbat/notes.git", "secret": "secret-bilby-0123456789",
        "changed secret": "secret-potoroo-0123456789", "token": "token-dunnart-0123456789",
        "credential": "credential-kowari-0123456789", "protocol": "protocol=https",
        "label": "https://server-wombat.example:54321",
    ]

    /// A word as it might be written: as it is, in other cases, in hexadecimal, base64 and UTF-16.
    private static func spellings(_ word: String) -> [Data] {
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
    private func search(_ files: [String: [UInt8]]) -> [String] {
        files.flatMap { name, bytes in
            Self.words.filter { _, word in
                Self.spellings(word).contains { Data(bytes).range(of: $0) != nil }
            }.map { "\($0.key) in \(name)" }
        }
    }

    @Test func neitherSecretNorServerNorAccountNorPath() async throws {
        let host = "protocol=https\nhost=server-wombat.example:54321\n"
        let login = "\(host)path=path-numbat/notes.git\nusername=account-quokka\n"
        try await home.store("\(login)password=secret-bilby-0123456789\n")
        try await home.store("\(host)username=account-quokka\npassword=secret-bilby-0123456789\n")
        try await home.store(
            "\(login)password=secret-potoroo-0123456789\n"
                + "oauth_refresh_token=token-dunnart-0123456789\n")
        try await home.store(
            "capability[]=authtype\n\(host)authtype=Bearer\n"
                + "credential=credential-kowari-0123456789\n")
        try await home.expectGet(
            login,
            "username=account-quokka\npassword=secret-potoroo-0123456789\n"
                + "oauth_refresh_token=token-dunnart-0123456789\n")
        let stored = try Snapshot(home.lanyard).contents
        #expect(stored.count == 3)
        #expect(search(stored) == [])

        // Nor do names of files say anything, nor is anything left of what was erased.
        let names = try Snapshot(home.lanyard).entries.keys.joined(separator: "\n")
        #expect(search(["names": Array(names.utf8)]) == [])
        try await home.erase(host)
        try await home.expectGet(host, "")
        #expect(search(try Snapshot(home.lanyard).contents) == [])
    }

    /// The same search finds what is there, or its silence would prove nothing.
    @Test func theSearchFindsWhatIsThere() {
        for (name, word) in Self.words {
            for spelling in Self.spellings(word) {
                let bytes = [0, 255] + Array(spelling) + [7]
                #expect(search(["file": bytes]).contains("\(name) in file"))
            }
        }
    }
}
