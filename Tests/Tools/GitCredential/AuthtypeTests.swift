import KeychainServices
import StoreConformance
import Testing

@Suite("authtype and credential")
struct AuthtypeTests {
    let place = "protocol=https\nhost=git.example.com\n"
    let capable = "capability[]=authtype\nprotocol=https\nhost=git.example.com\n"

    @Test("a credential is stored and answered, the capability first")
    func kept() throws {
        let rig = GitRig()
        try rig.store(capable + "authtype=Bearer\ncredential=token\n")
        #expect(
            try rig.items == ["htps git.example.com - - - = |authtype=Bearer|credential=token"])
        #expect(
            try rig.get(capable)
                == "capability[]=authtype\nauthtype=Bearer\ncredential=token\n")
    }

    @Test("only clients with the capability get it; others get the next login")
    func needsCapability() throws {
        let rig = GitRig()
        try rig.store(place + "username=me\npassword=p\n")
        try rig.store(capable + "username=bot\nauthtype=Bearer\ncredential=token\n")
        #expect(try rig.get(place) == "username=me\npassword=p\n")
        #expect(
            try rig.get(place + "capability[]=state\n")
                .hasPrefix("capability[]=state\nusername=me\npassword=p\nstate[]="))
        #expect(try rig.get(place + "username=bot\n") == "")
        #expect(
            try rig.get(capable)
                == "capability[]=authtype\nusername=bot\nauthtype=Bearer\ncredential=token\n")
        #expect(try rig.get(capable + "username=me\n") == "username=me\npassword=p\n")
        #expect(try rig.get(capable + "username=you\n") == "")
    }

    @Test("without the capability or an authtype, a credential is not stored")
    func notKept() throws {
        let rig = GitRig()
        try rig.store(place + "authtype=Bearer\ncredential=token\n")
        try rig.store(capable + "credential=token\n")
        try rig.store(
            "capability[]=authtype\ncapability[]=\n" + place + "authtype=B\ncredential=t\n")
        #expect(rig.store.counts == Counts())
        try rig.store(place + "username=me\npassword=p\nauthtype=Bearer\ncredential=token\n")
        #expect(try rig.items == ["htps git.example.com - - me = p"])
    }

    @Test("ephemeral credentials are not stored", arguments: ["1", "true", "YES", "on"])
    func ephemeral(value: String) throws {
        let rig = GitRig()
        try rig.store(capable + "authtype=Bearer\ncredential=t\nephemeral=\(value)\n")
        try rig.store(capable + "username=me\npassword=p\nephemeral=\(value)\n")
        try rig.store(place + "username=me\npassword=p\nephemeral=\(value)\n")
        #expect(rig.store.counts == Counts())
        try rig.store(place + "username=me\npassword=p\nephemeral=false\n")
        #expect(try rig.items == ["htps git.example.com - - me = p"])
    }

    @Test("one item can have a password and a credential, and each client gets its own")
    func both() throws {
        let rig = GitRig()
        try rig.store(capable + "username=me\npassword=p\nauthtype=Bearer\ncredential=c\n")
        #expect(
            try rig.items == [
                "htps git.example.com - - me = p|authtype=Bearer|credential=c"
            ])
        #expect(try rig.get(place) == "username=me\npassword=p\n")
        #expect(
            try rig.get(capable)
                == "capability[]=authtype\nusername=me\npassword=p\nauthtype=Bearer\n"
                + "credential=c\n")
    }

    @Test("a password and a credential of one account replace each other")
    func oneItem() throws {
        let rig = GitRig()
        try rig.store(capable + "username=me\npassword=p\n")
        try rig.store(capable + "username=me\nauthtype=Bearer\ncredential=c\n")
        #expect(try rig.items == ["htps git.example.com - - me = |authtype=Bearer|credential=c"])
        try rig.store(capable + "username=me\npassword=p\n")
        #expect(try rig.items == ["htps git.example.com - - me = p"])
    }

    @Test("a git without authtype does not drop it with the same password")
    func droppedByOldGit() throws {
        let rig = GitRig()
        try rig.store(capable + "username=me\npassword=p\nauthtype=Bearer\ncredential=c\n")
        rig.store.counts = Counts()
        try rig.store(place + "username=me\npassword=p\n")
        try rig.store(capable + "username=me\nauthtype=Bearer\ncredential=c\n")
        try rig.store(capable + "username=me\npassword=p\nauthtype=Bearer\n")
        #expect(rig.store.counts == Counts(lookUps: 3, secretLookUps: 3))
        try rig.store(capable + "username=me\npassword=p\nauthtype=Basic\n")
        #expect(
            try rig.items == ["htps git.example.com - - me = p|authtype=Basic"],
            "a credential does not go over to another authtype")
    }

    @Test("a new authtype or credential beside the same password is written")
    func changed() throws {
        let rig = GitRig()
        try rig.store(capable + "password=p\nauthtype=Bearer\ncredential=c\n")
        try rig.store(capable + "password=p\nauthtype=Token\ncredential=c\n")
        #expect(try rig.items == ["htps git.example.com - - - = p|authtype=Token|credential=c"])
        try rig.store(capable + "password=p\nauthtype=Token\ncredential=d\n")
        #expect(try rig.items == ["htps git.example.com - - - = p|authtype=Token|credential=d"])
        try rig.store(place + "username=me\npassword=p\n")
        try rig.store(capable + "username=me\npassword=p\nauthtype=Bearer\ncredential=c\n")
        #expect(try rig.items[0] == "htps git.example.com - - me = p|authtype=Bearer|credential=c")
    }

    @Test("an empty password counts, except next to a credential")
    func emptyPassword() throws {
        let rig = GitRig()
        try rig.store(place + "username=a\npassword=\n")
        #expect(try rig.get(place) == "username=a\npassword=\n")
        try rig.store(capable + "username=b\npassword=\nauthtype=Bearer\ncredential=c\n")
        #expect(try rig.get(place + "username=b\n") == "")
        rig.store.counts = Counts()
        try rig.store(capable + "username=b\npassword=\nauthtype=Bearer\ncredential=c\n")
        #expect(rig.store.counts == Counts(lookUps: 1, secretLookUps: 1))
        try rig.erase(capable + "username=b\npassword=\nauthtype=Bearer\ncredential=c\n")
        #expect(try rig.items == ["htps git.example.com - - a = "])
    }

    @Test("a credential that another tool stored without its authtype is not answered")
    func foreignWithoutAuthtype() throws {
        let rig = GitRig()
        try rig.put(secret: "\ncredential=c") { $0.server = "git.example.com" }
        #expect(try rig.get(capable) == "")
    }
}
