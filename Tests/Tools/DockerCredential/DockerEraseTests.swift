import KeychainServices
import StoreConformance
import Testing

@Suite("erase")
struct DockerEraseTests {
    private static let stored = [
        ("https://index.docker.io/v1/", "hub"), ("docker.io", "hub2"),
        ("https://index.docker.io/v1/access-token", "access"),
        ("https://index.docker.io/v1/refresh-token", "refresh"), ("docker.io/library", "library"),
        ("https://example.com", "one"), ("example.com/", "two"), ("Example.com:443", "three"),
        ("https://example.com", "four"), ("http://example.com", "plain"),
        ("example.com/v2/", "v2"), ("https://example.com/v2/", "v2b"), ("example.com:5000", "port"),
        ("u@example.com", "whole"),
    ]

    @Test(
        "all users and all spellings go, no other path, no token",
        arguments: [
            ("https://example.com", ["one", "two", "three", "four"]),
            ("example.com", ["one", "two", "three", "four"]),
            ("EXAMPLE.COM:443/", ["one", "two", "three", "four"]),
            ("http://example.com", ["plain"]), ("http://example.com:80/", ["plain"]),
            ("example.com/v2/", ["v2", "v2b"]), ("example.com/v2", []), ("example.com/v1/", []),
            ("example.com:5000", ["port"]), ("example.com:5001", []), ("u@example.com", ["whole"]),
            ("u@Example.com", []), ("example.org", []),
            ("docker.io", ["hub", "hub2"]), ("index.docker.io", ["hub", "hub2"]),
            ("https://index.docker.io/v1/", ["hub", "hub2"]),
            ("https://index.docker.io/v1/access-token", ["access"]),
            ("index.docker.io/v1/refresh-token", ["refresh"]),
            ("docker.io/access-token", []), ("index.docker.io/library", ["library"]),
        ])
    func erased(url: String, users: [String]) throws {
        let rig = try DockerRig(Self.stored)
        #expect(rig.run("erase", url + "\n") == "")
        let left = try rig.items.map { String($0.split(separator: " ")[4]) }
        #expect(left == Self.stored.map(\.1).filter { !users.contains($0) }.reversed())
        #expect(rig.store.counts.transactions == (users.isEmpty ? 0 : 1))
        #expect(rig.store.counts.deletes == users.count)
        #expect(rig.store.counts.secretLookUps == 0)
    }

    @Test("a hint names what still answers")
    func stillAnswers() throws {
        let rig = try DockerRig(Self.stored)
        _ = rig.run("erase", "https://example.com")
        #expect(
            rig.hints == [
                "the login for 'https://example.com/v2/' stays and also answers for "
                    + "'https://example.com'"
            ])
        _ = rig.run("erase", "http://example.com")
        _ = rig.run("erase", "example.com:5000")
        _ = rig.run("erase", "https://index.docker.io/v1/access-token")
        #expect(rig.hints.count == 1)
        _ = rig.run("erase", "example.com/v2/")
        #expect(rig.hints.count == 1, "the registry's own login is gone")
        _ = rig.run("erase", "index.docker.io")
        #expect(
            rig.hints.last
                == "the login for 'docker.io/library' stays and also answers for "
                + "'index.docker.io'")
    }

    @Test("erasing nothing is not an error and writes nothing")
    func nothing() throws {
        let rig = try DockerRig([("example.com", "me")])
        rig.store.isReadOnly = true
        #expect(rig.run("erase", "example.org") == "")
        #expect(rig.store.counts == Counts(lookUps: 2))
        #expect(rig.run("erase", "example.com").hasPrefix("1: "), "a failure is reported")
    }

    @Test("it needs no unlocking; a missing keychain is an error")
    func locked() throws {
        let rig = try DockerRig([("example.com", "me")])
        rig.store.failure = KeychainError(.noSuchKeychain, "keychain 'work' not found")
        #expect(rig.run("erase", "example.com") == "1: keychain 'work' not found")
        rig.store.failure = nil
        rig.store.isLocked = true
        #expect(rig.run("erase", "example.com") == "")
        #expect(try rig.items == [])
    }

    @Test("other tools' items stay")
    func otherGroups() throws {
        let rig = DockerRig()
        for group in ["git", "login", "Docker", "DOCKER"] as [ByteString] {
            try rig.put { $0.accessGroup = group }
        }
        #expect(rig.run("erase", "https://example.com") == "")
        #expect(rig.run("erase", "example.com") == "")
        #expect(try rig.items.count == 4)
        #expect(rig.hints.isEmpty)
    }

    @Test("changes by another process do no harm")
    func meanwhile() throws {
        let rig = try DockerRig([("example.com", "me")])
        rig.store.meanwhile = { () throws(KeychainError) in
            try rig.keychain.delete(Query(.internetPassword))
        }
        #expect(rig.run("erase", "example.com") == "")
        let other = try DockerRig([("example.com", "me")])
        other.store.deletesNothing = true
        #expect(other.run("erase", "example.com") == "")
    }
}
