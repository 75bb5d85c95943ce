import KeychainServices
import StoreConformance
import Testing

@testable import DockerCredential

@Suite("store")
struct DockerStoreTests {
    @Test("a new password is protected like a new item's")
    func raises() throws {
        let rig = DockerRig()
        try rig.store("example.com", "me", "1")
        var weaker = ItemAttributes()
        weaker.accessible = .always
        try rig.keychain.update(Query(.internetPassword), weaker)
        try rig.store("example.com", "me", "2")
        let query = Query(.internetPassword, returns: .attributes)
        guard case .item(let item) = try rig.keychain.copyMatching(query) else {
            Issue.record("not one item")
            return
        }
        #expect(item.attributes?.accessible == .whenUnlocked)
    }

    @Test("a login is an item of its own for each spelling and each user")
    func items() throws {
        let rig = DockerRig()
        for (url, user) in [
            ("https://example.com", "me"), ("example.com", "me"), ("example.com/", "me"),
            ("Example.com", "me"), ("example.com", "you"), ("example.com:443", "me"),
            ("user@example.com", "me"),
        ] {
            try rig.store(url, user, "p")
        }
        #expect(
            try rig.items == [
                "- user@example.com - - me = p", "- example.com 443 - me = p",
                "- example.com - - you = p", "- Example.com - - me = p", "- example.com - / me = p",
                "- example.com - - me = p", "htps example.com - - me = p",
            ])
        #expect(rig.store.counts.adds == 7)
    }

    @Test("the item's group and label")
    func attributes() throws {
        let rig = try DockerRig([("https://example.com/v2/", "me")])
        let query = Query(.internetPassword, returns: .attributes)
        guard case .item(let item) = try rig.keychain.copyMatching(query) else {
            return
        }
        #expect(item.attributes?.accessGroup == "docker")
        #expect(item.attributes?.label == "Registry credentials for https://example.com/v2/")
        #expect(item.attributes?.accessible == .whenUnlocked)
    }

    @Test("a different password replaces the stored one")
    func replaces() throws {
        let rig = try DockerRig([("example.com", "me"), ("example.com", "you")])
        try rig.store("example.com", "me", "new")
        #expect(
            try rig.items == [
                "- example.com - - me = new", "- example.com - - you = secret of you",
            ])
        #expect(
            rig.store.counts
                == Counts(lookUps: 3, secretLookUps: 2, transactions: 1, updates: 1))
    }

    @Test("nothing is written if it already is the answer")
    func nothingChanges() throws {
        let rig = try DockerRig([("example.com", "me")])
        rig.store.isReadOnly = true
        try rig.store("example.com", "me", "secret of me")
        #expect(rig.store.counts == Counts(lookUps: 1, secretLookUps: 1))
        #expect(rig.run("store", DockerRig.request("example.com", "me", "other")) != "")
    }

    @Test("an existing login becomes the answer if it was not")
    func touches() throws {
        let rig = try DockerRig([("example.com", "me"), ("example.com", "you")])
        try rig.store("example.com", "me", "secret of me")
        #expect(rig.store.counts.updates == 1)
        #expect(try rig.answer("example.com") == "me")
        #expect(
            try rig.items == [
                "- example.com - - me = secret of me", "- example.com - - you = secret of you",
            ])
        rig.store.counts = Counts()
        try rig.store("example.com", "me", "secret of me")
        #expect(rig.store.counts == Counts(lookUps: 1, secretLookUps: 1))
    }

    @Test("another process's login stored in the meantime is seen")
    func meanwhile() throws {
        let rig = DockerRig()
        rig.store.meanwhile = { () throws(KeychainError) in
            try rig.store("example.com", "me", "p")
        }
        try rig.store("example.com", "me", "p")
        #expect(rig.store.counts.adds == 1)
        #expect(rig.store.counts.updates == 0)
        rig.store.meanwhile = { () throws(KeychainError) in
            try rig.store("example.com", "me", "q")
        }
        try rig.store("example.com", "me", "r")
        #expect(try rig.items == ["- example.com - - me = r"])
    }

    @Test("locked and missing keychains are errors")
    func fails() throws {
        let rig = try DockerRig([("example.com", "me")])
        rig.store.isLocked = true
        #expect(rig.run("store", DockerRig.request("example.com", "me", "p")).hasPrefix("1: "))
        rig.store.isLocked = false
        for status in [Status.noSuchKeychain, .notAvailable, .interactionNotAllowed, .io] {
            rig.store.failure = KeychainError(status, "why")
            #expect(rig.run("store", DockerRig.request("example.com", "me", "p")) == "1: why")
        }
        rig.store.failure = nil
        #expect(try rig.items == ["- example.com - - me = secret of me"])
    }

    @Test(
        "names of members without letter case, in any order, others ignored",
        arguments: [
            #"{"serverurl":"a.b","USERNAME":"me","secret":"p"}"#,
            #"{"Secret":"p","ServerURL":"a.b","Username":"me"}"#,
            #" { "ServerURL" : "a.b" , "Username" : "me" , "Secret" : "p" } "# + "\n\n",
            #"{"ServerURL":"a.b","Username":"me","Secret":"p","Email":"x","X":[{"a":[1.5e3,null]}]}"#,
            #"{"Server\u0055RL":"\u0061.b","Username":"m\u0065","Secret":"\u0070"}"#,
            #"{"ServerURL":" a.b\n","Username":"me","Secret":"p"}"#,
        ])
    func forms(request: String) throws {
        let rig = DockerRig()
        #expect(rig.run("store", request) == "")
        #expect(try rig.items == ["- a.b - - me = p"])
    }

    @Test(
        "no secret is an empty one, as docker's own helpers have it",
        arguments: [
            #"{"ServerURL":"a.b","Username":"me"}"#,
            #"{"ServerURL":"a.b","Username":"me","Secret":null}"#,
            #"{"ServerURL":"a.b","Username":"me","Secret":""}"#,
        ])
    func emptySecret(request: String) throws {
        let rig = DockerRig()
        #expect(rig.run("store", request) == "")
        #expect(try rig.items == ["- a.b - - me = "])
    }

    @Test("the secret's bytes are the item's, whatever they are")
    func secretBytes() throws {
        let rig = DockerRig()
        try rig.store("a.b", "me", #"\u0000\ud83d\ude00\"\\\/\n"#)
        #expect(try rig.items == ["- a.b - - me = \0😀\"\\/\n"])
    }

    @Test("lines of 64 KiB and more, which docker's own helpers can't read")
    func longLines() throws {
        let rig = DockerRig()
        let long = String(repeating: "x", count: 200_000)
        #expect(rig.run("store", DockerRig.request("a.b", "me", long)) == "")
        #expect(try rig.items == ["- a.b - - me = \(long)"])
        let url = "https://a.b/" + String(repeating: "x", count: RegistryURL.limit - 12)
        let user = String(repeating: "u", count: 65_535)
        #expect(rig.run("store", DockerRig.request(url, user, "p")) == "")
        #expect(rig.run("get", url).hasSuffix("\",\"Secret\":\"p\"}\n"))
        #expect(rig.run("erase", url) == "")
        #expect(try rig.items.count == 1)
    }
}

extension DockerRig {
    static func request(_ url: String, _ username: String, _ secret: String) -> String {
        #"{"ServerURL":"\#(url)","Username":"\#(username)","Secret":"\#(secret)"}"#
    }
}
