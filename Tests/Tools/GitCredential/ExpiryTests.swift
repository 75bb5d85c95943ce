import KeychainServices
import StoreConformance
import Testing

@Suite("Expiry and refresh tokens")
struct ExpiryTests {
    let place = "protocol=https\nhost=example.com\n"

    @Test("both are stored and answered")
    func kept() throws {
        let rig = GitRig()
        try rig.store(
            place + "username=me\npassword=p\npassword_expiry_utc=9999999999\n"
                + "oauth_refresh_token=t\n")
        #expect(
            try rig.items == [
                "htps example.com - - me = p|password_expiry_utc=9999999999|oauth_refresh_token=t"
            ])
        #expect(
            try rig.get(place)
                == "username=me\npassword=p\npassword_expiry_utc=9999999999\n"
                + "oauth_refresh_token=t\n")
    }

    @Test("an expiry of 0 or not a number means none", arguments: ["0", "soon", "", "-5"])
    func noExpiry(value: String) throws {
        let rig = GitRig()
        try rig.store(place + "username=me\npassword=p\npassword_expiry_utc=\(value)\n")
        #expect(try rig.items == ["htps example.com - - me = p"])
        #expect(try rig.get(place) == "username=me\npassword=p\n")
    }

    @Test("an expired password is not answered, its username and refresh token are")
    func expired() throws {
        let rig = GitRig(now: 1_000)
        try rig.store(
            place + "username=me\npassword=p\npassword_expiry_utc=1000\noauth_refresh_token=t\n")
        #expect(
            try rig.get(place)
                == "username=me\npassword=p\npassword_expiry_utc=1000\noauth_refresh_token=t\n",
            "it ends after that second, as in git")
        rig.now = 1_001
        #expect(try rig.get(place) == "username=me\noauth_refresh_token=t\n")
    }

    @Test("an expired password alone leaves its username, and no username leaves nothing")
    func expiredAlone() throws {
        let rig = GitRig(now: 1_000)
        try rig.store(place + "username=me\npassword=p\npassword_expiry_utc=1500\n")
        try rig.store("protocol=https\nhost=h\npassword=p\npassword_expiry_utc=1500\n")
        rig.now = 2_000
        #expect(try rig.get(place) == "username=me\n")
        #expect(try rig.get("protocol=https\nhost=h\n") == "")
    }

    @Test("an expired login with nothing left gives way to an earlier one")
    func passedOver() throws {
        let rig = GitRig(now: 1_000)
        try rig.store(place + "username=me\npassword=p\n")
        try rig.store(place + "password=q\npassword_expiry_utc=1500\n")
        #expect(try rig.get(place) == "password=q\npassword_expiry_utc=1500\n")
        rig.now = 2_000
        #expect(try rig.get(place) == "username=me\npassword=p\n")
    }

    @Test("an expired credential is not answered either, since git drops both")
    func expiredCredential() throws {
        let rig = GitRig(now: 1_000)
        let request = "capability[]=authtype\n" + place
        try rig.store(
            request + "authtype=Bearer\ncredential=c\npassword_expiry_utc=1500\n"
                + "oauth_refresh_token=t\n")
        rig.now = 2_000
        #expect(try rig.get(request) == "oauth_refresh_token=t\n")
    }

    @Test("an expired password is stored only for its refresh token")
    func storeExpired() throws {
        let rig = GitRig(now: 1_000)
        let login = place + "username=me\npassword=p\npassword_expiry_utc=999\n"
        try rig.store(login)
        #expect(rig.store.counts == Counts())
        try rig.store(login + "oauth_refresh_token=t\n")
        #expect(try rig.get(place) == "username=me\noauth_refresh_token=t\n")
    }

    @Test("a new password drops the old expiry and refresh token")
    func replaced() throws {
        let rig = GitRig()
        try rig.store(
            place + "username=me\npassword=1\npassword_expiry_utc=5000\noauth_refresh_token=t\n")
        try rig.store(place + "username=me\npassword=2\n")
        #expect(try rig.items == ["htps example.com - - me = 2"])
    }

    @Test(
        "fields unknown to an old git stay with the same password",
        arguments: [
            "", "oauth_refresh_token=t\n", "password_expiry_utc=5000\n",
        ])
    func droppedByOldGit(known: String) throws {
        let rig = GitRig()
        try rig.store(
            place + "username=me\npassword=p\npassword_expiry_utc=5000\noauth_refresh_token=t\n")
        let before = try rig.items
        rig.store.counts = Counts()
        try rig.store(place + "username=me\npassword=p\n" + known)
        #expect(try rig.items == before)
        #expect(rig.store.counts == Counts(lookUps: 1, secretLookUps: 1))
    }

    @Test("a new refresh token or expiry for the same password is written, the other one kept")
    func changed() throws {
        let rig = GitRig()
        try rig.store(
            place + "username=me\npassword=p\npassword_expiry_utc=5000\noauth_refresh_token=t\n")
        try rig.store(place + "username=me\npassword=p\noauth_refresh_token=u\n")
        #expect(
            try rig.items == [
                "htps example.com - - me = p|password_expiry_utc=5000|oauth_refresh_token=u"
            ])
        try rig.store(place + "username=me\npassword=p\npassword_expiry_utc=6000\n")
        #expect(
            try rig.items == [
                "htps example.com - - me = p|password_expiry_utc=6000|oauth_refresh_token=u"
            ])
    }

    @Test("an expired password is valid again if the user types it again and it is accepted")
    func acceptedAgain() throws {
        let rig = GitRig(now: 1_000)
        try rig.store(
            place + "username=me\npassword=p\npassword_expiry_utc=1500\noauth_refresh_token=t\n")
        rig.now = 2_000
        try rig.store(place + "username=me\npassword=p\n")
        #expect(try rig.items == ["htps example.com - - me = p|oauth_refresh_token=t"])
        #expect(try rig.get(place) == "username=me\npassword=p\noauth_refresh_token=t\n")
    }
}
