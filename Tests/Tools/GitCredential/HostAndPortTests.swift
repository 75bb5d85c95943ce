import KeychainServices
import Testing

@testable import GitCredential

@Suite("Hosts and ports")
struct HostAndPortTests {
    @Test(
        "a port is split off only beyond doubt",
        arguments: [
            ("example.com", "example.com", 0),
            ("example.com:8443", "example.com", 8443),
            ("example.com:1", "example.com", 1),
            ("example.com:443", "example.com", 443),
            ("example.com:65535", "example.com", 65535),
            ("example.com:65536", "example.com:65536", 0),
            ("example.com:99999", "example.com:99999", 0),
            ("example.com:0", "example.com:0", 0),
            ("example.com:00", "example.com:00", 0),
            ("example.com:080", "example.com:080", 0),
            ("example.com:+80", "example.com:+80", 0),
            ("example.com:-80", "example.com:-80", 0),
            ("example.com: 80", "example.com: 80", 0),
            ("example.com:80 ", "example.com:80 ", 0),
            ("example.com:", "example.com:", 0),
            ("example.com:http", "example.com:http", 0),
            ("example.com:8o", "example.com:8o", 0),
            ("example.com:0x50", "example.com:0x50", 0),
            ("example.com:4294967376", "example.com:4294967376", 0),
            ("example.com:65616", "example.com:65616", 0),
            ("example.com:9223372036854775808", "example.com:9223372036854775808", 0),
            ("example.com:18446744073709551696", "example.com:18446744073709551696", 0),
            ("example.com:٨٠", "example.com:٨٠", 0),
            ("example.com:８０", "example.com:８０", 0),
            ("bücher.example:8443", "bücher.example", 8443),
            ("例え.テスト:80", "例え.テスト", 80),
            ("[::1]", "[::1]", 0),
            ("[::1]:8080", "[::1]", 8080),
            ("[::1]:0", "[::1]:0", 0),
            ("[fe80::1%25eth0]:22", "[fe80::1%25eth0]", 22),
            ("::1", "::1", 0),
            ("fe80::1:8080", "fe80::1:8080", 0),
            ("a:80:90", "a:80:90", 0),
            ("a::90", "a::90", 0),
            ("[::1]x:80", "[::1]x:80", 0),
            ("[::1:80", "[::1:80", 0),
            ("::1]:80", "::1]:80", 0),
            ("[a]:1]:80", "[a]:1]:80", 0),
            ("[a]:80", "[a]", 80),
            ("127.0.0.1:5000", "127.0.0.1", 5000),
            ("user@host:22", "user@host", 22),
            ("EXAMPLE.com:80", "EXAMPLE.com", 80),
            (":8080", "", 8080),
            (":", ":", 0),
            ("::", "::", 0),
            ("80", "80", 0),
            ("", "", 0),
        ] as [(ByteString, ByteString, UInt16)])
    func split(host: ByteString, server: ByteString, port: UInt16) {
        let split = HostAndPort(host)
        #expect(split.server == server)
        #expect(split.port == port)
    }

    @Test("bytes that are not UTF-8 stay as they are")
    func notUTF8() {
        let split = HostAndPort(ByteString([0xFF, 0x3A, 0x38, 0x30]))
        #expect(split.server == ByteString([0xFF]))
        #expect(split.port == 80)
    }

    @Test("a request without a port means items without one, by port 0 in the query")
    func query() throws {
        let with = try parse("protocol=https\nhost=example.com:8443\npath=p\nusername=u\n").wanted
        #expect(with.accessGroup == "git")
        #expect(with.protocol == .https)
        #expect(with.server == "example.com")
        #expect(with.port == 8443)
        #expect(with.path == "p")
        #expect(with.account == "u")
        #expect(try parse("host=example.com\n").wanted.port == 0)
        let without = try parse("protocol=cert\n").wanted
        var expected = ItemAttributes()
        expected.accessGroup = "git"
        expected.protocol = ProtocolType(rawValue: "cert:")
        expected.isNegative = false
        #expect(without == expected)
    }

    @Test(
        "labels are those of git-credential-libsecret",
        arguments: [
            ("protocol=https\nhost=example.com", "Git: https://example.com/"),
            (
                "protocol=https\nhost=example.com:8443\npath=a/b.git",
                "Git: https://example.com:8443/a/b.git"
            ),
            ("protocol=https\nhost=[::1]:80", "Git: https://[::1]:80/"),
            ("protocol=cert\nhost=\npath=path/to", "Git: cert:///path/to"),
        ])
    func labels(request: String, label: String) throws {
        #expect(try parse(request).newItem.label?.description == label)
    }

    @Test("a path too long for its label gets a shorter label")
    func longLabel() throws {
        // 65,535 bytes, the most that an attribute may have; é lies across the cut.
        let path = String(repeating: "é", count: 32_767) + "x"
        let rig = GitRig()
        try rig.store("protocol=https\nhost=h\npath=\(path)\npassword=p\n")
        let labels = try rig.described { $0.attributes?.label?.description ?? "" }
        #expect(labels.count == 1)
        #expect(labels[0].utf8.count == 1_023)
        #expect(labels[0].hasPrefix("Git: https://h/é"))
        #expect(labels[0].hasSuffix("é"))
    }

    @Test(
        "fields missing in a request are missing in the new item",
        arguments: ["protocol=https\nhost=h\n", "protocol=https\nhost=h\npath=\n"])
    func newItem(request: String) throws {
        let item = try parse(request).newItem
        #expect(item.port == nil)
        #expect(item.path == nil)
        #expect(item.account == nil)
        #expect(item.accessGroup == "git")
    }
}
