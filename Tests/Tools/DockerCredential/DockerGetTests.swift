import KeychainServices
import TestSupport
import StoreConformance
import Testing

@testable import DockerCredential

@Suite("get")
struct DockerGetTests {
    @Test("the exact text, then its meaning, then the registry, then a path on it")
    func order() throws {
        let all = [
            ("https://example.com/b", "path"), ("example.com/", "registry"),
            ("EXAMPLE.com/a", "meaning"), ("https://example.com/a", "exact"),
        ]
        // Whatever was stored last.
        for first in all.indices {
            let rig = try DockerRig(Array(all[first...] + all[..<first]))
            #expect(try rig.answer("https://example.com/a") == "exact")
            #expect(try rig.answer("example.com/a") == (try rig.lastStored(["exact", "meaning"])))
            #expect(try rig.answer("example.com/c") == "registry")
            #expect(try rig.answer("example.com") == "registry")
            _ = rig.run("erase", "https://example.com/a")
            #expect(try rig.answer("https://example.com/a") == "registry")
            _ = rig.run("erase", "https://example.com")
            #expect(try rig.answer("https://example.com/a") == nil)
            #expect(try rig.answer("example.com") == "path")
        }
    }

    @Test("among equals the one stored last, also over docker.io's names")
    func lastStored() throws {
        let urls = [
            "https://index.docker.io/v1/", "docker.io", "index.docker.io", "https://docker.io",
            "https://docker.io:443/v1/",
        ]
        for last in urls.indices {
            let rig = try DockerRig(
                (1...urls.count).map { step in
                    let url = urls[(last + step) % urls.count]
                    return (url, url.replacing("/", with: "_"))
                })
            let expected = urls[last].replacing("/", with: "_")
            #expect(try rig.answer("HTTPS://docker.io") == expected)
            #expect(try rig.answer("index.docker.io/v1/") == expected)
            #expect(try rig.answer("index.docker.io/library/alpine") == expected)
            #expect(try rig.answer(urls[last]) == expected)
            let other = urls[(last + 1) % urls.count]
            #expect(try rig.answer(other) == other.replacing("/", with: "_"))
        }
    }

    @Test("two users for one URL: the one stored last")
    func twoUsers() throws {
        let rig = try DockerRig([("example.com", "one"), ("example.com", "two")])
        #expect(try rig.answer("example.com") == "two")
        #expect(try rig.answer("https://example.com") == "two")
        try rig.store("example.com", "one", "secret of one")
        #expect(try rig.answer("example.com") == "one")
        #expect(try rig.answer("https://example.com") == "one")
    }

    @Test("the answer equals that of a search through every item")
    func bruteForce() throws {
        var random = SeededRandom()
        let urls: [ByteString] = [
            "https://index.docker.io/v1/", "index.docker.io", "docker.io", "https://docker.io/v2/",
            "docker.io/v2/", "http://docker.io", "example.com", "https://example.com/",
            "Example.com/v2/", "example.com:443/v2/", "EXAMPLE.com/a", "http://example.com",
            "u@example.com", "https://index.docker.io/v1/access-token", "[::1]:5000",
            "[::1]:5000/x",
        ]
        for _ in 0..<300 {
            let rig = DockerRig()
            var stored: [(url: RegistryURL, user: String)] = []
            for number in 0..<Int.random(in: 1...12, using: &random) {
                let url = urls.randomElement(using: &random)!
                try rig.store(url.description, "u\(number)", "s")
                stored.append((RegistryURL(url), "u\(number)"))
            }
            for asked in urls {
                let best = stored.reversed().enumerated()
                    .compactMap { position, item in
                        Match(stored: item.url, asked: RegistryURL(asked))
                            .map { ($0, position, item.user) }
                    }
                    .min { ($0.0, $0.1) < ($1.0, $1.1) }
                #expect(try rig.answer(asked.description) == best?.2, "\(stored), \(asked)")
            }
        }
    }

    @Test("the answer's bytes")
    func bytes() throws {
        let rig = DockerRig()
        try rig.store("https://example.com", "me", #"p\"w\\\u0000\n\u007fé😀/<&"#)
        #expect(
            rig.run("get", "https://example.com")
                == #"{"ServerURL":"https://example.com","Username":"me","Secret":"p\"w\\\u0000\n\u007fé😀/<&"}"#
                + "\n")
        // The URL is the one asked for, without the white space around it.
        #expect(
            rig.run("get", " \t\u{0B}\u{0C}Example.com/\r\n")
                .hasPrefix(#"{"ServerURL":"Example.com/","Username":"me","#))
        #expect(rig.hints.isEmpty)
    }

    @Test("an empty secret, an identity token and a secret of 1 MiB")
    func secrets() throws {
        let rig = DockerRig()
        try rig.store("a.example", "me", "")
        #expect(
            rig.run("get", "a.example")
                == #"{"ServerURL":"a.example","Username":"me","Secret":""}"# + "\n")
        try rig.store("b.example", "<token>", "t")
        #expect(
            rig.run("get", "b.example")
                == #"{"ServerURL":"b.example","Username":"<token>","Secret":"t"}"# + "\n")
        for piece in ["x", "\\u0001"] {
            let secret = String(repeating: piece, count: 1 << 20)
            try rig.store("c.example", "me", secret)
            #expect(
                rig.run("get", "c.example")
                    == #"{"ServerURL":"c.example","Username":"me","Secret":"\#(secret)"}"# + "\n")
        }
    }

    @Test("the usual call is one look, a miss asks for no secret")
    func looks() throws {
        let rig = try DockerRig([("https://example.com", "one"), ("https://example.com", "two")])
        #expect(try rig.answer("https://example.com") == "two")
        #expect(rig.store.counts == Counts(lookUps: 1, secretLookUps: 1))
        rig.store.counts = Counts()
        #expect(try rig.answer("example.com") == "two")
        #expect(rig.store.counts == Counts(lookUps: 3, secretLookUps: 2))
        rig.store.counts = Counts()
        #expect(try rig.answer("example.org") == nil)
        #expect(rig.store.counts == Counts(lookUps: 2, secretLookUps: 1))
    }

    @Test(
        "a locked or missing keychain has no logins, with a hint",
        arguments: [
            KeychainError(.interactionNotAllowed, "the keychain is locked", hint: "lanyard unlock"),
            KeychainError(.noSuchKeychain, "lanyard unlock"),
            KeychainError(.notAvailable, "lanyard unlock"),
        ])
    func absent(error: KeychainError) throws {
        let rig = try DockerRig([("example.com", "me")])
        rig.store.failure = error
        #expect(
            rig.run("get", "example.com") == "1: credentials not found in native keychain")
        #expect(rig.hints == ["lanyard unlock"])
    }

    @Test("a locked secret is no login, but only matters as the answer")
    func locked() throws {
        let rig = try DockerRig([("example.com", "me")])
        rig.store.isLocked = true
        for url in ["example.com", "https://example.com"] {
            #expect(rig.run("get", url) == "1: credentials not found in native keychain")
        }
        #expect(rig.hints.count == 2)
        #expect(
            rig.run("get", "example.org") == "1: credentials not found in native keychain")
        #expect(rig.hints.count == 2)
    }

    @Test(
        "any other failure is reported as it is",
        arguments: [KeychainError(.decode, "an item is damaged"), KeychainError(.io, "no disk")])
    func failure(error: KeychainError) throws {
        let rig = try DockerRig([("example.com", "me")])
        rig.store.failure = error
        #expect(rig.run("get", "example.com") == "1: \(error.reason)")
    }

    @Test("a login of another tool that is not UTF-8 is an error, not half an answer")
    func notUTF8() throws {
        let rig = DockerRig()
        try rig.put(secret: [0x70, 0xFF]) { _ in }
        #expect(
            rig.run("get", "https://example.com")
                == "1: text that is not UTF-8 can't be written as JSON")
        try rig.put { $0.account = ByteString([0xFF]) }
        #expect(rig.run("get", "https://example.com").hasPrefix("1: "))
    }

    @Test("other tools' items never answer, whatever their group's letter case")
    func otherGroups() throws {
        let rig = DockerRig()
        for group in ["git", "login", "Docker", "DOCKER", ""] as [ByteString] {
            try rig.put(secret: [0x70]) { $0.accessGroup = group }
        }
        for url in ["https://example.com", "example.com", "example.com/x"] {
            #expect(try rig.answer(url) == nil)
        }
        try rig.put { item in
            item.accessGroup = "docker"
            item.path = "v2"
        }
        #expect(try rig.answer("https://example.com/v2") == "other")
        #expect(try rig.answer("example.com") == "other")
    }
}

extension DockerRig {
    /// Whose of some users' items was stored last.
    fileprivate func lastStored(_ users: [String]) throws(KeychainError) -> String? {
        try items.compactMap { line in users.first { line.contains(" \($0) = ") } }.first
    }
}
