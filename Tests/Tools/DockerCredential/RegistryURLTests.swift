import KeychainServices
import TestSupport
import Testing

@testable import DockerCredential

@Suite("URLs as items")
struct RegistryURLTests {
    @Test(
        "a URL is taken apart",
        arguments: [
            ("https://index.docker.io/v1/", "https", "index.docker.io", nil, "/v1/"),
            ("docker.io", nil, "docker.io", nil, nil),
            ("localhost:5000", nil, "localhost", 5000, nil),
            ("localhost:5000/", nil, "localhost", 5000, "/"),
            ("http://localhost:80", "http", "localhost", 80, nil),
            (
                "HTTPS://Registry.Example.COM:443/Team", "HTTPS", "Registry.Example.COM", 443,
                "/Team"
            ),
            ("a_b-c.d:1/x?y=1#z", nil, "a_b-c.d", 1, "/x?y=1#z"),
            ("host/a:b/c@d//e", nil, "host", nil, "/a:b/c@d//e"),
            ("host//", nil, "host", nil, "//"),
            ("[::1]", nil, "[::1]", nil, nil),
            ("https://[2001:db8::1]:5000/v2/", "https", "[2001:db8::1]", 5000, "/v2/"),
            ("[::ffff:192.0.2.1]:65535", nil, "[::ffff:192.0.2.1]", 65535, nil),
            ("127.0.0.1:5000", nil, "127.0.0.1", 5000, nil),
            ("bücher.example", nil, "bücher.example", nil, nil),
            ("ssh://host", "ssh", "host", nil, nil),
            ("foo+bar.1-x://host", "foo+bar.1-x", "host", nil, nil),
            ("host/path with space", nil, "host", nil, "/path with space"),
        ] as [(String, ByteString?, ByteString, UInt16?, ByteString?)])
    func parts(
        text: String, scheme: ByteString?, host: ByteString, port: UInt16?, path: ByteString?
    ) {
        let url = RegistryURL(ByteString(text))
        #expect(
            url.parts == RegistryURL.Parts(scheme: scheme, host: host, port: port, path: path))
        let item = url.newItem(account: "me")
        #expect(item.protocol == scheme.map { ProtocolType(scheme: $0) })
        #expect(item.server == host)
        #expect(item.port == port)
        #expect(item.path == path)
        #expect(item.account == "me")
        #expect(item.accessGroup == "docker")
        #expect(item.label == ByteString("Registry credentials for \(text)"))
        #expect(RegistryURL(item) == url)
    }

    @Test(
        "text that can't be rejoined stays whole",
        arguments: [
            "", "/", "//", "/path", "https://", "https:///path", "https:", "://host", ":5000",
            "host:",
            "host:/path", "host:0", "host:00", "host:080", "host:65536", "host:99999",
            "host:100000",
            "host:+80", "host:-1", "host: 80", "host:8 0", "host:80x", "host:0x50", "host:８０",
            "user@host", "https://user@host", "https://user:password@host:80/path", "@host",
            "host:80:80", "a:b:c", "::1", "::1:5000", "[::1", "::1]", "[]", "[:]", "[::1]x",
            "[::1]:",
            "[::1]:0", "[::1]80", "x[::1]", "[::g]", "[fe80::1%eth0]", "[1.2.3.4]", "[[::1]]",
            "https://[::1", "host?x=1", "host#x", "https://host?x", "ho st", " host", "host ",
            "a\tb",
            "a\nb", "a\0b", "host\\path", "\"host\"", "<host>", "a,b", "a;b", "a%2fb", "host~",
            "*.host",
            "1http://host", "+x://host", "ht_tp://host", "ht tp://host",
            "mailto:me",
            "http:/host", "https://https://host", "\u{7F}",
        ])
    func whole(text: String) {
        let url = RegistryURL(ByteString(text))
        #expect(url.parts == nil, "\(text)")
        let item = url.newItem(account: "me")
        #expect(item.server == ByteString(text))
        #expect(item.protocol == nil)
        #expect(item.port == nil)
        #expect(item.path == nil)
        if !text.isEmpty {
            #expect(RegistryURL(item) == url)
        }
    }

    @Test("any text comes back from its item byte for byte, so no two texts are one item")
    func comesBack() {
        var random = SeededRandom()
        var places: [ItemIdentity: ByteString] = [:]
        var wholes = 0
        for _ in 0..<20_000 {
            let text = random.url()
            guard !text.isEmpty else {
                continue
            }
            let url = RegistryURL(text)
            wholes += url.parts == nil ? 1 : 0
            let item = url.newItem(account: "me")
            #expect(RegistryURL(item)?.text == text)
            #expect(RegistryURL(url.place)?.text == text)
            let identity = ItemIdentity(.internetPassword, item)
            #expect(places.updateValue(text, forKey: identity) ?? text == text)
            #expect(
                Query(.internetPassword, url.place).matches(
                    .internetPassword, item, id: .random()))
        }
        #expect((4_000..<16_000).contains(wholes), "both kinds occur: \(wholes) were whole")
    }

    @Test("an item that another program made has a URL, too, where that is possible")
    func foreign() {
        func url(_ fill: (inout ItemAttributes) -> Void) -> ByteString? {
            var item = ItemAttributes()
            item.server = "host"
            fill(&item)
            return RegistryURL(item)?.text
        }
        #expect(url { $0.path = "v2" } == "host/v2")
        #expect(url { $0.path = "" } == "host")
        #expect(url { $0.port = 0 } == "host")
        #expect(url { $0.protocol = ProtocolType(rawValue: "") } == "host")
        #expect(url { $0.protocol = .http } == "http://host")
        #expect(url { $0.protocol = .httpsProxy } == nil)
        #expect(url { $0.server = "" } == nil)
        #expect(url { $0.server = nil } == nil)
        #expect(url { $0.server = nil } == nil)
    }
}

extension SeededRandom {
    /// Something like a URL, or something not at all like one.
    mutating func url() -> ByteString {
        let parts: [ByteString] = [
            "https", "http", "HTTPS", "htps", "ssh", "docker.io", "index.docker.io", "example.com",
            "Example.com", "localhost", "[::1]", "[", "]", "://", "://", ":", ":", "/", "/", "//",
            "443",
            "80", "5000", "0", "080", "65535", "65536", "v1", "v2", "/v1/", "access-token", "@",
            "?", "#",
            "user", " ", "\t", "\n", "%", "\u{0}", "é", ".", "-",
        ]
        if Int.random(in: 0..<10, using: &self) == 0 {
            return ByteString(
                (0..<Int.random(in: 0...20, using: &self)).map { _ in
                    UInt8.random(in: .min ... .max, using: &self)
                })
        }
        var text: [UInt8] = []
        if Bool.random(using: &self) {
            text += ["https://", "http://", "HTTPS://", "x-y://"].randomElement(using: &self)!.utf8
        }
        if Bool.random(using: &self) {
            text += ["example.com", "docker.io", "[::1]", "h"].randomElement(using: &self)!.utf8
        }
        for _ in 0..<Int.random(in: 0...5, using: &self) {
            text += parts.randomElement(using: &self)!.bytes
        }
        return ByteString(text)
    }
}
