import KeychainServices
import StoreConformance
import Testing

@Suite("store")
struct GitStoreTests {
    @Test("a new password is protected like a new item's")
    func raises() throws {
        let rig = GitRig()
        try rig.store(place + "username=me\npassword=1\n")
        var weaker = ItemAttributes()
        weaker.accessible = .always
        try rig.keychain.update(Query(.internetPassword), weaker)
        try rig.store(place + "username=me\npassword=2\n")
        let query = Query(.internetPassword, returns: .attributes)
        guard case .item(let item) = try rig.keychain.copyMatching(query) else {
            Issue.record("not one item")
            return
        }
        #expect(item.attributes?.accessible == .whenUnlocked)
    }

    let place = "protocol=https\nhost=example.com\n"

    @Test("a new login is added in one transaction")
    func add() throws {
        let rig = GitRig()
        try rig.store(place + "username=me\npassword=secret\n")
        #expect(
            rig.store.counts == Counts(lookUps: 2, secretLookUps: 2, transactions: 1, adds: 1))
        let items = try rig.described { item in
            let attributes = item.attributes!
            return "\(attributes.accessGroup!) \(attributes.label!)"
        }
        #expect(items == ["git Git: https://example.com/"])
    }

    @Test("a new password replaces the old one in one transaction")
    func update() throws {
        let rig = GitRig()
        try rig.store(place + "username=me\npassword=1\n")
        rig.store.counts = Counts()
        try rig.store(place + "username=me\npassword=2\n")
        #expect(try rig.items == ["htps example.com - - me = 2"])
        #expect(
            rig.store.counts == Counts(lookUps: 2, secretLookUps: 2, transactions: 1, updates: 1))
    }

    @Test(
        "an unchanged login writes nothing and opens no transaction",
        arguments: [
            "username=me\npassword=secret\n", "password=secret\n", "username=\npassword=\n",
            "path=a/b\nusername=me\npassword=secret\n",
            "username=me\npassword=p\npassword_expiry_utc=5000\noauth_refresh_token=t\n",
            "capability[]=authtype\nauthtype=Bearer\ncredential=c\n",
        ])
    func unchanged(login: String) throws {
        let rig = GitRig()
        try rig.store(place + login)
        let before = try rig.items
        rig.store.counts = Counts()
        try rig.store(place + login)
        #expect(rig.store.counts == Counts(lookUps: 1, secretLookUps: 1))
        #expect(try rig.items == before)
        rig.store.isReadOnly = true
        try rig.store(place + login)
        #expect(throws: KeychainError(.readOnly)) {
            try rig.store(place + "username=other\npassword=new\n")
        }
    }

    @Test(
        "an incomplete login is not stored, and the keychain not asked",
        arguments: [
            "", "\n", "protocol=https\nhost=h\nusername=me\n", "protocol=https\nhost=h\n",
            "host=h\nusername=me\npassword=p\n", "protocol=\nhost=h\nusername=me\npassword=p\n",
            "protocol=https\nusername=me\npassword=p\n",
            "protocol=https\nhost=\nusername=me\npassword=p\n",
            "protocol=https\nhost=\npath=\nusername=me\npassword=p\n",
            "protocol=cert\npath=p\npassword=p\n",
            "username=me\npassword=p\n",
        ])
    func notKept(request: String) throws {
        let rig = GitRig()
        try rig.store(request)
        #expect(rig.store.counts == Counts())
    }

    @Test("logins that differ in any part of their place coexist")
    func sideBySide() throws {
        let rig = GitRig()
        let places = [
            "protocol=https\nhost=h\n", "protocol=http\nhost=h\n", "protocol=https\nhost=i\n",
            "protocol=https\nhost=h:8443\n", "protocol=https\nhost=h\npath=p\n",
            "protocol=https\nhost=h\nusername=u\n", "protocol=https\nhost=h\nusername=v\n",
        ]
        for (number, place) in places.enumerated() {
            try rig.store(place + "password=\(number)\n")
        }
        try rig.store(places[0] + "password=new\n")
        #expect(
            try rig.items == [
                "htps h - - - = new", "htps h - - v = 6", "htps h - - u = 5", "htps h - p - = 4",
                "htps h 8443 - - = 3", "htps i - - - = 2", "http h - - - = 1",
            ])
    }

    @Test("an empty username and path mean none; the answer names the username anyway")
    func emptyParts() throws {
        let rig = GitRig()
        try rig.store(place + "password=p\n")
        try rig.store(place + "path=\nusername=\npassword=p\n")
        #expect(try rig.items == ["htps example.com - - '' = p"])
        rig.store.counts = Counts()
        try rig.store(place + "password=p\n")
        #expect(rig.store.counts == Counts(lookUps: 1, secretLookUps: 1), "it is not lost again")
        try rig.store(place + "password=q\n")
        #expect(try rig.items == ["htps example.com - - '' = q"])
    }

    @Test("an item of another group neither changes nor interferes")
    func otherGroup() throws {
        let rig = GitRig()
        try rig.put(secret: "docker's") { $0.accessGroup = "docker" }
        try rig.store(place + "password=p\n")
        #expect(
            try rig.items == ["htps example.com - - - = p", "htps example.com - - - = docker's"])
    }

    @Test("another tool's additions to an item stay, even in an unchanged secret")
    func foreignItem() throws {
        let rig = GitRig()
        try rig.put(secret: "p\nnew=1\n") {
            $0.account = "me"
            $0.label = "my own name"
            $0.comment = "remember"
        }
        try rig.store(place + "username=me\npassword=p\n")
        #expect(try rig.items == ["htps example.com - - me = p|new=1|"])
        try rig.store(place + "username=me\npassword=q\n")
        #expect(try rig.items == ["htps example.com - - me = q"])
        let texts = try rig.described { item in
            "\(item.attributes!.label!), \(item.attributes!.comment!)"
        }
        #expect(texts == ["my own name, remember"])
    }

    @Test("of items that git can't tell apart, the one that get answers changes")
    func securityDomain() throws {
        let rig = GitRig()
        for domain in ["old", "new"] as [ByteString] {
            try rig.put(secret: domain.description) {
                $0.account = "me"
                $0.securityDomain = domain
                $0.authenticationType = .httpBasic
            }
        }
        #expect(try rig.get(place) == "username=me\npassword=new\n")
        try rig.store(place + "username=me\npassword=changed\n")
        #expect(
            try rig.items == [
                "htps example.com - - me = changed", "htps example.com - - me = old",
            ])
    }

    @Test("changes between look-up and transaction are seen")
    func meanwhile() throws {
        let rig = GitRig()
        let other = ["a", "b"]
        rig.store.meanwhile = { () throws(KeychainError) in
            try rig.put(secret: other[0]) { $0.account = "me" }
        }
        try rig.store(place + "username=me\npassword=mine\n")
        #expect(try rig.items == ["htps example.com - - me = mine"])
        #expect(rig.store.counts.updates == 1 && rig.store.counts.adds == 0)

        rig.store.meanwhile = { () throws(KeychainError) in try rig.erase(place) }
        try rig.store(place + "username=me\npassword=again\n")
        #expect(try rig.items == ["htps example.com - - me = again"])

        rig.store.meanwhile = { () throws(KeychainError) in
            try rig.store(place + "username=me\npassword=same\n")
            rig.store.counts = Counts()
        }
        try rig.store(place + "username=me\npassword=same\n")
        #expect(rig.store.counts == Counts(lookUps: 1, secretLookUps: 1), "nothing left to do")
    }

    @Test("a locked item is an error, and nothing is lost")
    func locked() throws {
        let rig = GitRig()
        try rig.store(place + "username=me\npassword=1\n")
        rig.store.isLocked = true
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            try rig.store(place + "username=me\npassword=2\n")
        }
        rig.store.isLocked = false
        #expect(try rig.items == ["htps example.com - - me = 1"])
    }

    @Test("an attribute that no keychain can store is an error")
    func tooLong() throws {
        let rig = GitRig()
        let long = String(repeating: "x", count: 65_536)
        #expect(throws: KeychainError(.dataTooLarge)) {
            try rig.store(place + "username=\(long)\npassword=p\n")
        }
        #expect(try rig.items == [])
    }
}
