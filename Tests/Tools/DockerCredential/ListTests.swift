import KeychainServices
import TestSupport
import StoreConformance
import Testing

@testable import DockerCredential

@Suite("list")
struct ListTests {
    @Test("URLs as they were stored, sorted, each with the user that get answers")
    func list() throws {
        let rig = try DockerRig([
            ("https://index.docker.io/v1/", "hub"), ("example.com", "one"), ("Example.com/", "x"),
            ("example.com", "two"), ("u@b", "whole"), ("http://example.com:5000/v2/?q=1", "y"),
            ("example.com:5000", "<token>"), ("é", "ü"),
        ])
        #expect(
            try rig.list()
                == #"{"Example.com/":"x","example.com":"two","example.com:5000":"<token>","#
                + #""http://example.com:5000/v2/?q=1":"y","https://index.docker.io/v1/":"hub","#
                + #""u@b":"whole","é":"ü"}"# + "\n")
        #expect(rig.store.counts == Counts(lookUps: 2, secretLookUps: 1), "one for all")
        try rig.store("example.com", "one", "secret of one")
        #expect(try rig.list().contains(#""example.com":"one""#))
        #expect(rig.hints.isEmpty)
    }

    @Test("nothing is an empty object")
    func empty() throws {
        #expect(try DockerRig().list() == "{}\n")
    }

    @Test("a locked or missing keychain is empty, with a hint")
    func absent() throws {
        let rig = try DockerRig([("example.com", "me")])
        rig.store.isLocked = true
        #expect(try rig.list() == "{}\n", "get could not answer for it")
        for (status, hint) in [
            (Status.interactionNotAllowed, "lanyard unlock"), (.noSuchKeychain, nil),
            (.notAvailable, nil),
        ] {
            rig.store.failure = KeychainError(status, "why", hint: hint)
            #expect(try rig.list() == "{}\n")
            #expect(rig.hints.last == hint ?? "why")
        }
        rig.store.failure = KeychainError(.decode, "an item is damaged")
        #expect(rig.run("list", "") == "1: an item is damaged")
    }

    @Test("a login that may ask the user is listed without asking")
    func askingLogins() throws {
        let rig = DockerRig()
        try rig.put {
            $0.trustedApplications = [TrustedApplication(path: "/usr/bin/other", owner: 0)!]
        }
        #expect(try rig.list() == #"{"https://example.com":"other"}"# + "\n")
        #expect(rig.store.counts.secretLookUps == 0)
        try rig.put { $0.server = "example.org" }
        #expect(try rig.list().contains("https://example.org"))
        #expect(rig.store.counts.secretLookUps == 1)
    }

    @Test("no other tool's items, and none that docker could not ask for")
    func otherItems() throws {
        let rig = DockerRig()
        for group in ["git", "login", "Docker"] as [ByteString] {
            try rig.put { $0.accessGroup = group }
        }
        try rig.put { $0.server = nil }
        try rig.put { $0.server = ByteString([0xFF]) }
        try rig.put { $0.account = ByteString([0xFF]) }
        try rig.put { $0.protocol = .httpProxy }
        try rig.keychain.add(
            .genericPassword, ItemAttributes.of(group: "docker"), secret: Secret("x"))
        #expect(try rig.list() == "{}\n")
        try rig.put { $0.account = nil }
        try rig.put { $0.path = "v2" }
        #expect(
            try rig.list() == #"{"https://example.com":"","https://example.com/v2":"other"}"# + "\n"
        )
    }

    @Test("every URL in the list is answered by get with the user in the list")
    func agreesWithGet() throws {
        var random = SeededRandom()
        let urls = ["docker.io", "index.docker.io", "a.b", "https://a.b", "a.b/", "A.b:443/x"]
        for _ in 0..<100 {
            let rig = DockerRig()
            var stored: Set<String> = []
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                let url = urls.randomElement(using: &random)!
                try rig.store(url, "u\(Int.random(in: 0..<3, using: &random))", "p")
                stored.insert(url)
            }
            var expected: [String] = []
            for url in stored.sorted() {
                expected.append("\"\(url)\":\"\(try rig.answer(url)!)\"")
            }
            #expect(try rig.list() == "{\(expected.joined(separator: ","))}\n")
        }
    }

    @Test("100,000 logins, in pieces and in linear time")
    func many() throws {
        let store = ManyItems(count: 100_000)
        let helper = DockerCredentialHelper(keychain: Keychain(store, accessGroups: .all())) { _ in
        }
        let pieces = ListPieces()
        let time = try ContinuousClock().measure {
            try helper.list { piece in
                pieces.count += 1
                pieces.longest = max(pieces.longest, piece.count)
                pieces.total += piece.count
            }
        }
        #expect(pieces.count > 50)
        #expect(pieces.longest < 40_000)
        #expect(pieces.total > 1_700_000)
        // What is quadratic takes hours.
        #expect(time < .seconds(300))
    }
}

private final class ListPieces {
    var count = 0
    var longest = 0
    var total = 0
}

/// A store that makes its items up, two for each URL, in no order.
private final class ManyItems: KeychainStore {
    let count: Int

    init(count: Int) {
        self.count = count
    }

    func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        for number in 0..<count {
            var item = ItemAttributes.of(group: "docker")
            item.server = ByteString("registry\(number * 7_919 % (count / 2)).example.com")
            item.account = "user"
            let reference = ItemReference(itemClass: .internetPassword, id: .random())
            guard
                try body(MatchedItem(reference, item, secret: nil, returns: query.returns)) == .next
            else {
                return
            }
        }
    }

    func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        throw KeychainError(.readOnly)
    }

    func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        throw KeychainError(.readOnly)
    }

    func delete(_ query: Query) throws(KeychainError) -> Int {
        throw KeychainError(.readOnly)
    }

    func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        try body()
    }
}

extension ItemAttributes {
    fileprivate static func of(group: ByteString) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        return attributes
    }
}
