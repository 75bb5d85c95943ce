import KeychainServices
import StoreConformance
import Testing

@Suite("erase")
struct GitEraseTests {
    let place = "protocol=https\nhost=example.com\n"

    private func filled() throws(KeychainError) -> GitRig {
        let rig = GitRig()
        for (place, login) in [
            ("protocol=https\nhost=example.com\n", "username=one\npassword=1\n"),
            ("protocol=https\nhost=example.com\n", "username=two\npassword=2\n"),
            ("protocol=https\nhost=example.com:8443\n", "username=one\npassword=1\n"),
            ("protocol=https\nhost=example.com\npath=p\n", "username=one\npassword=3\n"),
            ("protocol=http\nhost=example.com\n", "username=one\npassword=1\n"),
            ("protocol=https\nhost=other.com\n", "username=one\npassword=1\n"),
        ] {
            try rig.store(place + login)
        }
        rig.store.counts = Counts()
        return rig
    }

    private static let one = "htps example.com - - one = 1"
    private static let two = "htps example.com - - two = 2"
    private static let port = "htps example.com 8443 - one = 1"
    private static let path = "htps example.com - p one = 3"
    private static let http = "http example.com - - one = 1"
    private static let other = "htps other.com - - one = 1"

    @Test(
        "every login that equals all given fields is erased, and no other",
        arguments: [
            ("protocol=https\nhost=example.com\nusername=one\npassword=1\n", [one]),
            ("protocol=https\nhost=example.com\nusername=one\n", [one, path]),
            ("protocol=https\nhost=example.com\nusername=one\npath=p\n", [path]),
            ("protocol=https\nhost=example.com\npath=\n", [one, two]),
            ("protocol=https\nhost=example.com\n", [one, two, path]),
            ("protocol=https\nhost=example.com:8443\n", [port]),
            ("protocol=https\nhost=example.com:8443\npassword=1\n", [port]),
            ("protocol=https\nhost=example.com\nusername=one\npassword=2\n", []),
            ("protocol=https\nhost=example.com\nusername=one\npassword=\n", []),
            ("protocol=https\nhost=example.com\nusername=one\npassword=11\n", []),
            ("protocol=https\nhost=example.com\nusername=\n", []),
            ("protocol=https\nhost=example.com\npath=q\n", []),
            ("protocol=https\nhost=example.com:443\n", []),
            ("protocol=https\nhost=Example.com\n", [one, two, path]),
            ("protocol=ssh\nhost=example.com\n", []),
            ("protocol=https\nhost=\n", []),
        ])
    func matching(request: String, erased: [String]) throws {
        let rig = try filled()
        try rig.erase(request)
        let left = [Self.other, Self.http, Self.path, Self.port, Self.two, Self.one]
            .filter { !erased.contains($0) }
        #expect(try rig.items == left)
        #expect(rig.store.counts.transactions == (erased.isEmpty ? 0 : 1))
        #expect(rig.store.counts.deletes == erased.count)
    }

    @Test(
        "a request without a protocol or a host erases nothing",
        arguments: [
            "", "\n", "password=1\n", "capability[]=authtype\ncredential=c\n", "x=y\n",
            "protocol=https\n", "host=example.com\n", "host=example.com\npassword=1\n",
            "username=two\n", "username=one\npassword=1\n", "path=p\n",
            "protocol=https\npath=p\nusername=one\npassword=3\n",
        ])
    func noField(request: String) throws {
        let rig = try filled()
        let before = try rig.items
        try rig.erase(request)
        #expect(try rig.items == before)
        #expect(rig.store.counts == Counts())
    }

    @Test("erasing nothing is not an error and opens no transaction")
    func nothing() throws {
        let rig = try filled()
        rig.store.isReadOnly = true
        try rig.erase("protocol=https\nhost=nowhere.com\n")
        try rig.erase("protocol=https\nhost=example.com\nusername=one\npassword=wrong\n")
        #expect(rig.store.counts == Counts(lookUps: 2, secretLookUps: 2))
    }

    @Test(
        "unreadable logins are not erased",
        arguments: ["", "username=two\n", "username=one\npassword=1\n"])
    func locked(rest: String) throws {
        let rig = try filled()
        let before = try rig.items
        rig.store.isLocked = true
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            try rig.erase("protocol=https\nhost=example.com\n\(rest)")
        }
        try rig.erase("protocol=https\nhost=nowhere.com\n")
        rig.store.isLocked = false
        #expect(try rig.items == before)
    }

    @Test("the stored password is compared whatever else the item has, expired or not")
    func expired() throws {
        let rig = GitRig(now: 1_000)
        try rig.store(
            place + "username=me\npassword=p\npassword_expiry_utc=1500\noauth_refresh_token=t\n")
        rig.now = 2_000
        try rig.erase(place + "username=me\npassword=q\n")
        #expect(try rig.items.count == 1)
        try rig.erase(place + "username=me\npassword=p\noauth_refresh_token=other\n")
        #expect(try rig.items == [])
    }

    @Test("a credential is compared as a password is, with and without the capability")
    func credential() throws {
        let rig = GitRig()
        let capable = "capability[]=authtype\n" + place
        try rig.store(capable + "username=a\nauthtype=Bearer\ncredential=c\n")
        try rig.store(capable + "username=b\npassword=p\nauthtype=Bearer\ncredential=c\n")
        try rig.store(capable + "username=c\npassword=c\n")
        let all = try rig.items
        for request in [
            "authtype=Bearer\ncredential=wrong\n", "credential=\n", "password=\n",
            "password=wrong\nauthtype=Bearer\ncredential=c\n",
            "password=p\nauthtype=Bearer\ncredential=wrong\n",
        ] {
            try rig.erase(capable + request)
            try rig.erase(place + request)
            #expect(try rig.items == all)
        }
        try rig.erase(place + "authtype=Bearer\ncredential=c\n")
        #expect(try rig.items == ["htps example.com - - c = c"])
    }

    @Test("an item without a password is not one with an empty password")
    func noPassword() throws {
        let rig = GitRig()
        try rig.store(
            "capability[]=authtype\n" + place + "username=a\nauthtype=Bearer\ncredential=c\n")
        try rig.store(place + "username=b\npassword=\n")
        try rig.erase(place + "password=\n")
        #expect(try rig.items == ["htps example.com - - a = |authtype=Bearer|credential=c"])
    }

    @Test("an item of another group stays")
    func otherGroup() throws {
        let rig = GitRig()
        try rig.put(secret: "docker's") { $0.accessGroup = "docker" }
        try rig.erase(place)
        #expect(try rig.items == ["htps example.com - - - = docker's"])
    }

    @Test("a password that another process has changed meanwhile is not erased")
    func meanwhile() throws {
        let rig = GitRig()
        try rig.store(place + "username=me\npassword=old\n")
        rig.store.meanwhile = { () throws(KeychainError) in
            try rig.store(place + "username=me\npassword=new\n")
        }
        try rig.erase(place + "username=me\npassword=old\n")
        #expect(try rig.items == ["htps example.com - - me = new"])
    }

    @Test("an item deleted in the meantime is not an error")
    func gone() throws {
        let rig = try filled()
        rig.store.deletesNothing = true
        try rig.erase("protocol=https\nhost=example.com\n")
        #expect(rig.store.counts.deletes == 3, "each was tried")
    }

    @Test("an item that git can't read can be erased")
    func unprintable() throws {
        let rig = GitRig()
        try rig.put(secret: "p\r") { $0.account = "a\nb" }
        try rig.erase(place)
        #expect(try rig.items == [])
    }
}
