import KeychainServices
import TestSupport
import Testing

@testable import DockerCredential

@Suite("Which login answers which URL")
struct MatchTests {
    static let index = "https://index.docker.io/v1/"
    static let access = "https://index.docker.io/v1/access-token"
    static let refresh = "https://index.docker.io/v1/refresh-token"

    static let table: [(stored: String, asked: String, match: Match?)] = [
        // The same text.
        ("https://example.com", "https://example.com", .exact),
        ("example.com", "example.com", .exact),
        ("example.com:5000/team", "example.com:5000/team", .exact),
        ("http://example.com", "http://example.com", .exact),
        (index, index, .exact), (access, access, .exact), ("[::1]:5000", "[::1]:5000", .exact),
        ("user@example.com", "user@example.com", .exact), ("a b", "a b", .exact),
        ("ssh://example.com", "ssh://example.com", .exact),
        // The scheme: none is https, http is another registry.
        ("https://example.com", "example.com", .equal),
        ("example.com", "https://example.com", .equal),
        ("HTTPS://example.com", "https://example.com", .equal),
        ("Https://example.com", "example.com", .equal),
        ("http://example.com", "https://example.com", nil),
        ("https://example.com", "http://example.com", nil),
        ("http://example.com", "example.com", nil), ("example.com", "http://example.com", nil),
        ("HTTP://example.com", "http://example.com", .equal),
        ("http://example.com:443", "https://example.com", nil),
        ("https://example.com:80", "http://example.com", nil),
        ("example.com:80", "http://example.com", nil),
        ("http://localhost:5000", "localhost:5000", nil),
        ("http://localhost:5000", "https://localhost:5000", nil),
        ("ssh://example.com", "https://example.com", nil),
        ("ssh://example.com", "example.com", nil),
        ("SSH://example.com", "ssh://Example.com", .equal),
        // The host, without letter case.
        ("https://Example.COM", "https://example.com", .equal),
        ("EXAMPLE.com:5000", "example.COM:5000", .equal),
        ("https://example.com", "https://example.org", nil),
        ("example.com", "www.example.com", nil), ("example.com", "example.com.", nil),
        ("example.com", "notexample.com", nil), ("example.com", "xample.com", nil),
        ("[2001:DB8::1]", "https://[2001:db8::1]", .equal), ("[::1]", "[::2]", nil),
        ("bücher.Example", "bücher.example", .equal), ("BÜCHER.example", "bücher.example", nil),
        ("Kube.example", "\u{212A}ube.example", nil),
        // The port: none is the scheme's own.
        ("https://example.com:443", "https://example.com", .equal),
        ("example.com:443", "https://example.com/", .equal),
        ("example.com", "example.com:443", .equal),
        ("http://example.com:80", "http://example.com", .equal),
        ("http://example.com", "http://example.com:80/", .equal),
        ("example.com:80", "example.com", nil), ("example.com:5000", "example.com", nil),
        ("example.com", "example.com:5000", nil), ("example.com:5000", "example.com:5001", nil),
        ("https://example.com:80", "https://example.com", nil),
        ("ssh://example.com:22", "ssh://example.com", nil),
        // The path.
        ("example.com/", "example.com", .equal),
        ("https://example.com", "https://example.com/", .equal),
        ("example.com/", "https://example.com:443/", .equal),
        ("example.com/v1/", "https://example.com/v1/", .equal),
        ("https://EXAMPLE.com/v1/", "https://example.com:443/v1/", .equal),
        ("example.com", "example.com/v1/", .withoutPath),
        ("https://example.com/", "example.com/team/image", .withoutPath),
        ("example.com/v1/", "example.com", .withPath),
        ("example.com/team", "https://example.com/", .withPath),
        ("example.com/v1/", "example.com/v2/", nil), ("example.com/v1", "example.com/v1/", nil),
        ("example.com/team", "example.com/Team", nil),
        ("example.com/team", "example.com/team/image", nil),
        ("example.com/team/image", "example.com/team", nil),
        ("example.com//", "example.com", .withPath),
        ("example.com:5000", "example.com:5000/team", .withoutPath),
        ("http://example.com/v1/", "example.com", nil),
        ("http://example.com", "http://example.com/v1/", .withoutPath),
        // Docker's own registry.
        (index, "docker.io", .equal), (index, "index.docker.io", .equal),
        (index, "https://docker.io", .equal),
        (index, "https://index.docker.io", .equal), (index, "https://index.docker.io/", .equal),
        (index, "docker.io/v1/", .equal), (index, "https://index.docker.io/v1", .equal),
        (index, "Index.Docker.IO:443", .equal),
        ("docker.io", index, .equal), ("index.docker.io", index, .equal),
        ("docker.io", "index.docker.io", .equal),
        ("docker.io/v1/", "index.docker.io", .equal),
        ("docker.io", "docker.io/library/alpine", .withoutPath),
        (index, "docker.io/library/alpine", .withoutPath),
        ("docker.io/library/alpine", index, .withPath),
        ("docker.io/library/alpine", "index.docker.io/library/alpine", .equal),
        (index, "http://index.docker.io/v1/", nil), ("http://docker.io", "docker.io", nil),
        ("http://docker.io", "http://index.docker.io/v1/", .equal),
        (index, "registry-1.docker.io", nil), (index, "hub.docker.com", nil),
        (index, "index.docker.io:5000", nil),
        (index, "docker.io/v2/", .withoutPath), (index, "xdocker.io", nil),
        ("docker.io:5000", "docker.io", nil),
        ("docker.io:5000", "index.docker.io:5000", nil),
        // The tokens of docker's device login.
        (access, index, nil), (refresh, index, nil), (index, access, nil), (index, refresh, nil),
        (access, refresh, nil),
        (access, "docker.io", nil), ("docker.io", access, nil),
        (access, "index.docker.io/v1/access-token", .equal),
        ("example.com/access-token", "example.com", nil),
        ("example.com", "example.com/refresh-token", nil),
        ("example.com/access-token", "https://example.com/access-token", .equal),
        ("example.com", "example.com/access-tokens", .withoutPath),
        ("example.com", "example.com/x-access-token", .withoutPath),
        // Texts that stay whole mean nothing but themselves.
        ("user@example.com", "example.com", nil),
        ("https://user@example.com", "https://example.com", nil),
        ("example.com", "user@example.com", nil), ("example.com:0443", "example.com", nil),
        ("example.com:0443", "example.com:443", nil), ("USER@example.com", "user@example.com", nil),
        ("user@example.com", "https://user@example.com", nil),
        ("example.com?x", "example.com", nil),
        ("::1", "[::1]", nil), ("example.com:", "example.com", nil),
    ]

    @Test("every pair", arguments: table)
    func pair(stored: String, asked: String, match: Match?) throws {
        #expect(
            Match(stored: RegistryURL(ByteString(stored)), asked: RegistryURL(ByteString(asked)))
                == match)
        // The same through the keychain, other logins before and after.
        let rig = try DockerRig([
            ("https://other.example", "x"), (stored, "me"), ("git.example:8443", "y"),
        ])
        #expect(try rig.answer(asked) == (match == nil ? nil : "me"))
        #expect(rig.run("erase", asked) == "")
        #expect(try rig.items.count == (match?.isErased == true ? 2 : 3))
        #expect(rig.hints.isEmpty == (match == nil || match?.isErased == true))
    }

    @Test("the table is long enough")
    func size() {
        #expect(Self.table.count >= 100)
    }

    @Test("no login of another scheme or host ever answers")
    func neverAcross() {
        var random = SeededRandom()
        var matches = 0
        for _ in 0..<100_000 {
            let stored = RegistryURL(random.url())
            let asked = RegistryURL(random.url())
            guard stored.text != asked.text, Match(stored: stored, asked: asked) != nil else {
                continue
            }
            matches += 1
            #expect(Match(stored: asked, asked: stored) != nil, "\(stored.text), \(asked.text)")
            func isHTTP(_ url: RegistryURL) -> Bool {
                url.text.lowercasedASCII.description.hasPrefix("http://")
            }
            #expect(isHTTP(stored) == isHTTP(asked), "\(stored.text), \(asked.text)")
        }
        #expect(matches > 100, "it happens: \(matches) times")
    }
}
