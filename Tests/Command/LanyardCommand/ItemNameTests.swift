import TestSupport
import KeychainServices
import Testing

@testable import LanyardCommand

@Suite("names of items")
struct ItemNameTests {
    /// A URL's parts as `protocol|account|server|port|path`, with `-` for no account.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let parts: String

        var testDescription: String { name }

        init(_ name: String, _ parts: String) {
            self.name = name
            self.parts = parts
        }
    }

    @Test(
        "a URL is taken apart",
        arguments: [
            Case("https://example.com", "htps|-|example.com|0|"),
            Case("https://example.com/", "htps|-|example.com|0|"),
            Case("https://example.com//", "htps|-|example.com|0|"),
            Case("http://example.com", "http|-|example.com|0|"),
            Case("HTTPS://EXAMPLE.COM/Path", "htps|-|example.com|0|Path"),
            Case("https://example.com/a", "htps|-|example.com|0|a"),
            Case("https://example.com/a/", "htps|-|example.com|0|a"),
            Case("https://example.com//a/b.git", "htps|-|example.com|0|a/b.git"),
            Case("https://example.com/a%20b", "htps|-|example.com|0|a b"),
            Case("https://example.com/a b", "htps|-|example.com|0|a b"),
            Case("https://example.com/a@b:1", "htps|-|example.com|0|a@b:1"),
            Case("https://example.com/a?b#c", "htps|-|example.com|0|a?b#c"),
            Case("https://example.com?b=/c", "htps|-|example.com|0|?b=/c"),
            Case("https://example.com#c", "htps|-|example.com|0|#c"),
            Case("https://example.com/100%25", "htps|-|example.com|0|100%"),
            Case("https://example.com:8443", "htps|-|example.com|8443|"),
            Case("https://example.com:1/", "htps|-|example.com|1|"),
            Case("https://example.com:65535/a", "htps|-|example.com|65535|a"),
            Case("https://example.com:443", "htps|-|example.com|443|"),
            Case("https://ada@example.com", "htps|ada|example.com|0|"),
            Case("https://Ada@Example.com", "htps|Ada|example.com|0|"),
            Case("https://ada@example.com:8443/a", "htps|ada|example.com|8443|a"),
            Case("https://ada@example.org@example.com", "htps|ada@example.org|example.com|0|"),
            Case("https://ada%40example.org@example.com", "htps|ada@example.org|example.com|0|"),
            Case("https://a%3Ab@example.com", "htps|a:b|example.com|0|"),
            Case("https://a%2fb@example.com", "htps|a/b|example.com|0|"),
            Case("https://@example.com", "htps||example.com|0|"),
            Case("https://127.0.0.1:80", "htps|-|127.0.0.1|80|"),
            Case("https://[::1]", "htps|-|[::1]|0|"),
            Case("https://[::1]:8443/a", "htps|-|[::1]|8443|a"),
            Case("https://ada@[2001:DB8::1]", "htps|ada|[2001:db8::1]|0|"),
            Case("https://[fe80::1%25eth0]", "htps|-|[fe80::1%eth0]|0|"),
            Case("https://müller.example", "htps|-|müller.example|0|"),
            Case("https://MÜLLER.example", "htps|-|mÜller.example|0|"),
            Case("https://ex%61mple.com", "htps|-|example.com|0|"),
            Case("ssh://git@example.com:22", "ssh |git|example.com|22|"),
            Case("ftp://example.com", "ftp |-|example.com|0|"),
            Case("smtp://example.com:25", "smtp|-|example.com|25|"),
            Case("imaps://example.com", "imps|-|example.com|0|"),
            Case("cert:///home/ada/key.pem", "cert:|-||0|home/ada/key.pem"),
            Case("svn+ssh://example.com", "svn+ssh:|-|example.com|0|"),
            Case("x-1.y://example.com", "x-1.y:|-|example.com|0|"),
            Case("htps://example.com", "htps:|-|example.com|0|"),
            Case("https://example.com/%2e%2E", "htps|-|example.com|0|.."),
        ])
    func urls(_ testCase: Case) throws {
        let name = try ItemName(testCase.name, account: nil)
        #expect(name.itemClass == .internetPassword)
        let attributes = name.attributes
        let parts = [
            attributes.protocol?.description ?? "none", attributes.account?.description ?? "-",
            attributes.server?.description ?? "none", "\(attributes.port ?? 99)",
            attributes.path?.description ?? "none",
        ]
        #expect(parts.joined(separator: "|") == testCase.parts)
        #expect(attributes.service == nil)
    }

    @Test(
        "anything else is a service",
        arguments: [
            "example.com", "example.com:8443", "mailto:ada@example.com", "https:", "https:/",
            "https:/example.com", "://example.com", "1https://example.com", "ht tp://example.com",
            "hü://example.com", "-x", "a/b", "My Wi-Fi", "ünïcode", " ", "a\nb", "%zz",
            "https:\u{301}//a",
            "+x://a", "x_y://a", "user:secret@example.com",
        ])
    func services(text: String) throws {
        let name = try ItemName(text, account: "ada")
        #expect(name.itemClass == .genericPassword)
        var attributes = ItemAttributes()
        attributes.service = ByteString(text)
        attributes.account = "ada"
        #expect(name.attributes == attributes)
    }

    @Test(
        "a password in a URL is refused, and not repeated",
        arguments: [
            "https://ada:secret@example.com", "https://:secret@example.com",
            "https://ada:@example.com", "https://ada:secret@[::1]:1/a", "https://a:secret@b@c",
            "https://ada:\u{301}secret@example.com", "https://ada:secret@\u{301}example.com",
        ])
    func passwords(text: String) {
        let error = #expect(throws: KeychainError.self) { try ItemName(text, account: nil) }
        #expect(error?.status == .param)
        #expect(error?.reason.contains("secret") == false)
        #expect(error?.hint?.contains("secret") == false)
        #expect(error?.hint?.contains("--stdin") == true)
    }

    @Test(
        "invalid names are refused",
        arguments: [
            "", "https://", "https:///", "https://ada@", "https://example.com:",
            "https://example.com:0", "https://example.com:65536", "https://example.com:080",
            "https://example.com:+80", "https://example.com:-1", "https://example.com:8o",
            "https://example.com:٣", "https://::1", "https://::1/", "https://[::1]:x",
            "https://[::1", "https://a:b:1", "https://example.com/%", "https://example.com/%1",
            "https://example.com/%g0", "https://example.com/%+1", "https://%/", "https://a%@b",
            "https://example.com/%１２",
        ])
    func refused(text: String) {
        #expect(throws: KeychainError(.param)) { try ItemName(text, account: nil) }
    }

    @Test("an account is in the URL or next to it")
    func account() throws {
        #expect(
            try ItemName("https://example.com", account: "ada").attributes
                == ItemName("https://ada@example.com", account: nil).attributes)
        #expect(
            try ItemName("https://ada@example.com", account: "ada").attributes
                == ItemName("https://ada@example.com", account: nil).attributes)
        #expect(throws: KeychainError.self) {
            try ItemName("https://ada@example.com", account: "bob")
        }
        #expect(throws: KeychainError.self) { try ItemName("https://ada@example.com", account: "") }
        #expect(try ItemName("x", account: "").attributes.account == "")
    }

    @Test("the name that lists show finds the item again")
    func roundTrip() throws {
        var random = SeededRandom()
        let pieces = [
            "a", "B", ".", "/", "%", "?", "#", "@", " ", "ä", "\n", "\u{1B}", "[", "]", "-", "%41",
            ":",
        ]
        func text() -> String {
            (0...random.number(below: 6)).map { _ in random.element(of: pieces) }.joined()
        }
        for _ in 0..<500 {
            var attributes = ItemAttributes()
            attributes.server = ByteString("h" + text()).lowercasedASCII
            attributes.protocol = random.element(
                of: [
                    .https, .http, .ssh, .httpsProxy, .cvsPserver, ProtocolType(scheme: "x+y"),
                ])
            attributes.port = random.element(of: [0, 1, 8443])
            attributes.path = ByteString(random.element(of: ["", text()])).trimmingSlashes
            let shown = attributes.name
            let name = try ItemName(shown.description, account: nil)
            let comment = Comment("\(shown), LANYARD_TEST_SEED=\(SeededRandom.seed)")
            #expect(name.attributes.server == attributes.server, comment)
            #expect(name.attributes.port == attributes.port, comment)
            #expect(name.attributes.path == attributes.path, comment)
            #expect(
                name.attributes.protocol?.shownScheme == attributes.protocol?.shownScheme, comment)
        }
    }

    @Test("a path that is not text is shown as URLs show it")
    func pathOfOtherBytes() throws {
        var attributes = ItemAttributes()
        attributes.server = "h"
        attributes.protocol = .https
        attributes.path = ByteString([0x61, 0xFF, 0xC3, 0xA4])
        #expect(attributes.name == "https://h/a%FF%C3%A4")
        #expect(
            try ItemName(attributes.name.description, account: nil).attributes.path
                == attributes.path)
    }
}
