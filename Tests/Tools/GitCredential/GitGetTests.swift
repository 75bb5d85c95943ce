import GitCredential
import KeychainServices
import StoreConformance
import Testing

@Suite("get")
struct GitGetTests {
    @Test("an empty keychain answers nothing")
    func nothingThere() throws {
        let rig = GitRig()
        #expect(try rig.get("protocol=https\nhost=example.com\n") == "")
    }

    @Test("a stored login is answered with username and password only")
    func answer() throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=example.com\nusername=me\npassword=secret\n")
        #expect(try rig.items == ["htps example.com - - me = secret"])
        #expect(
            try rig.get("protocol=https\nhost=example.com\n")
                == "username=me\npassword=secret\n")
        #expect(
            try rig.get("protocol=https\nhost=example.com\nusername=me\nwwwauth[]=Basic\n")
                == "username=me\npassword=secret\n")
    }

    @Test("a request without fields gets no answer, without asking the keychain")
    func noField() throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=example.com\nusername=me\npassword=secret\n")
        rig.store.counts = Counts()
        for request in ["", "\n", "capability[]=authtype\n", "password=secret\n", "url=https://h"] {
            #expect(try rig.get(request) == "")
        }
        #expect(rig.store.counts == Counts())
    }

    @Test(
        "each field that is present must be equal, besides a host's capitals",
        arguments: [
            ("protocol=https\nhost=example.com\npath=a.git\nusername=me", true),
            ("protocol=https\nhost=example.com\npath=a.git", true),
            ("protocol=https\nhost=example.com\nusername=me", true),
            ("protocol=https\nhost=example.com", true),
            ("protocol=https", false),
            ("host=example.com", false),
            ("path=a.git", false),
            ("username=me", false),
            ("protocol=http\nhost=example.com", false),
            ("protocol=HTTPS\nhost=example.com", false),
            ("protocol=\nhost=example.com", false),
            ("protocol=htps\nhost=example.com", false),
            ("protocol=https\nhost=other.com", false),
            ("protocol=https\nhost=example.com.evil.com", false),
            ("protocol=https\nhost=evil-example.com", false),
            ("protocol=https\nhost=Example.com", true),
            ("protocol=https\nhost=example.co", false),
            ("protocol=https\nhost=", false),
            ("protocol=https\nhost=example.com:443", false),
            ("protocol=https\nhost=example.com:", false),
            ("protocol=https\nhost=example.com:0", false),
            ("protocol=https\nhost=example.com\npath=b.git", false),
            ("protocol=https\nhost=example.com\npath=a", false),
            ("protocol=https\nhost=example.com\npath=/a.git", false),
            ("protocol=https\nhost=example.com\npath=", false),
            ("protocol=https\nhost=example.com\nusername=you", false),
            ("protocol=https\nhost=example.com\nusername=ME", false),
            ("protocol=https\nhost=example.com\nusername=", false),
        ])
    func matching(request: String, isFound: Bool) throws {
        let rig = GitRig()
        try rig.store(
            "protocol=https\nhost=example.com\npath=a.git\nusername=me\npassword=secret\n")
        let answer = try rig.get(request)
        #expect(answer == (isFound ? "username=me\npassword=secret\n" : ""))
    }

    @Test(
        "a host with a port and the same without are two hosts",
        arguments: [
            ("example.com", "1"), ("example.com:8443", "2"), ("example.com:8444", ""),
            ("example.com:08443", ""), ("[::1]", "3"), ("[::1]:8080", "4"), ("::1", ""),
            ("[::1]:80", ""), ("example.com:0", "5"), ("example.com:99999", "6"),
        ])
    func ports(host: String, password: String) throws {
        let rig = GitRig()
        for (host, password) in [
            ("example.com", "1"), ("example.com:8443", "2"), ("[::1]", "3"),
            ("[::1]:8080", "4"), ("example.com:0", "5"), ("example.com:99999", "6"),
        ] {
            try rig.store("protocol=https\nhost=\(host)\npassword=\(password)\n")
        }
        #expect(
            try rig.items == [
                "htps example.com:99999 - - - = 6", "htps example.com:0 - - - = 5",
                "htps [::1] 8080 - - = 4", "htps [::1] - - - = 3",
                "htps example.com 8443 - - = 2", "htps example.com - - - = 1",
            ])
        let answer = try rig.get("protocol=https\nhost=\(host)\n")
        #expect(answer == (password.isEmpty ? "" : "password=\(password)\n"))
    }

    @Test("a request with a path does not match an item without one; the reverse it does")
    func paths() throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=h\nusername=me\npassword=plain\n")
        #expect(try rig.get("protocol=https\nhost=h\npath=a\n") == "")
        #expect(try rig.get("protocol=https\nhost=h\npath=\n") == "username=me\npassword=plain\n")
        try rig.store("protocol=https\nhost=h\npath=a\nusername=me\npassword=ofA\n")
        #expect(try rig.get("protocol=https\nhost=h\npath=a\n") == "username=me\npassword=ofA\n")
        #expect(try rig.get("protocol=https\nhost=h\n") == "username=me\npassword=ofA\n")
        #expect(try rig.get("protocol=https\nhost=h\npath=\n") == "username=me\npassword=plain\n")
    }

    @Test("a certificate's passphrase: an empty host and a path")
    func certificate() throws {
        let rig = GitRig()
        try rig.store("protocol=cert\nhost=\npath=path/to/file\nusername=\npassword=pass\n")
        #expect(try rig.items == ["cert: '' - path/to/file '' = pass"])
        #expect(
            try rig.get("protocol=cert\nhost=\npath=path/to/file\n")
                == "username=\npassword=pass\n")
        #expect(try rig.get("protocol=cert\nhost=\npath=path/to\n") == "")
    }

    @Test("of several accounts the one added or changed last is answered, each time")
    func severalAccounts() throws {
        let rig = GitRig()
        let place = "protocol=https\nhost=example.com\n"
        try rig.store(place + "username=one\npassword=1\n")
        try rig.store(place + "username=two\npassword=2\n")
        #expect(try rig.get(place) == "username=two\npassword=2\n")
        #expect(try rig.get(place) == "username=two\npassword=2\n")
        #expect(try rig.get(place + "username=one\n") == "username=one\npassword=1\n")
        #expect(try rig.get(place) == "username=two\npassword=2\n")
        try rig.store(place + "username=one\npassword=1\n")
        #expect(try rig.get(place) == "username=two\npassword=2\n", "it was there already")
        try rig.store(place + "username=one\npassword=new\n")
        #expect(try rig.get(place) == "username=one\npassword=new\n")
    }

    @Test("an empty username is answered, an absent one is not, and either finds the other")
    func emptyUsername() throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=sso.tld\nusername=\npassword=\n")
        #expect(try rig.get("protocol=https\nhost=sso.tld\n") == "username=\npassword=\n")
        #expect(
            try rig.get("protocol=https\nhost=sso.tld\nusername=\n")
                == "username=\npassword=\n")
        try rig.store("protocol=https\nhost=other.tld\npassword=p\n")
        #expect(try rig.get("protocol=https\nhost=other.tld\n") == "password=p\n")
        #expect(try rig.get("protocol=https\nhost=other.tld\nusername=\n") == "password=p\n")
    }

    @Test("only git's group is searched")
    func group() throws {
        let rig = GitRig()
        try rig.put(secret: "docker's") { $0.accessGroup = "docker" }
        #expect(try rig.get("protocol=https\nhost=example.com\n") == "")
        try rig.put(secret: "git's") { $0.account = "me" }
        #expect(
            try rig.get("protocol=https\nhost=example.com\n") == "username=me\npassword=git's\n")
    }

    @Test("logins of libsecret's helper are read")
    func foreignItem() throws {
        let rig = GitRig()
        try rig.put(secret: "pass\npassword_expiry_utc=2000\noauth_refresh_token=t\nnew=1\n") {
            $0.account = "me"
            $0.port = 8443
        }
        #expect(
            try rig.get("protocol=https\nhost=example.com:8443\n")
                == "username=me\npassword=pass\npassword_expiry_utc=2000\noauth_refresh_token=t\n")
    }

    @Test(
        "a value that git's protocol can't transport is never printed",
        arguments: [
            ("me\nhost=evil", "p"), ("me\r", "p"), ("m\0e", "p"), ("me", "p\r"), ("me", "p\0q"),
            ("me", "p\noauth_refresh_token=t\r"), ("me", "p\noauth_refresh_token=\0"),
            ("me", "p\nauthtype=Basic\r"), ("me", "\nauthtype=Basic\ncredential=x\ry"),
        ])
    func unprintable(account: String, secret: String) throws {
        let rig = GitRig()
        let request = "capability[]=authtype\nprotocol=https\nhost=example.com\n"
        try rig.put(secret: "fine") { $0.account = "you" }
        try rig.put(secret: secret) { $0.account = ByteString(account) }
        #expect(try rig.get(request) == "username=you\npassword=fine\n")
        try rig.erase("protocol=https\nhost=example.com\nusername=you\n")
        do throws(KeychainError) {
            let answer = try rig.get(request)
            Issue.record("answered \(answer.debugDescription)")
        } catch {
            #expect(error.status == .decode)
            #expect(
                error.reason
                    == "git can't read the login for this host: it contains a line break or a NUL"
            )
        }
        #expect(try rig.get("protocol=https\nhost=other.com\n") == "")
    }

    @Test("a bad byte in an unprinted value does no harm")
    func unprintableButUnused() throws {
        let rig = GitRig()
        try rig.put(secret: "p\nauthtype=Basic\ncredential=\r\nother=\0") { $0.account = "me" }
        #expect(
            try rig.get("protocol=https\nhost=example.com\n") == "username=me\npassword=p\n")
        try rig.put(secret: "p\r\npassword_expiry_utc=1\noauth_refresh_token=t") {
            $0.account = "you"
        }
        #expect(
            try rig.get("protocol=https\nhost=example.com\n")
                == "username=you\noauth_refresh_token=t\n")
    }

    @Test("a locked keychain and other failures are errors, not empty answers")
    func locked() throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=example.com\nusername=me\npassword=secret\n")
        rig.store.isLocked = true
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            try rig.get("protocol=https\nhost=example.com\n")
        }
        #expect(try rig.get("protocol=https\nhost=other.com\n") == "")
    }

    @Test("get writes nothing and stops at the first answer")
    func reads() throws {
        let rig = GitRig()
        for number in 0..<5 {
            try rig.store("protocol=https\nhost=h\nusername=u\(number)\npassword=p\n")
        }
        rig.store.counts = Counts()
        _ = try rig.get("protocol=https\nhost=h\n")
        #expect(rig.store.counts == Counts(lookUps: 1, secretLookUps: 1))
    }

    @Test("the rest of a long header is not taken for a host")
    func longHeader() throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=victim.com\nusername=me\npassword=secret\n")
        for length in [999, 1_000, 1_001, 4_073, 65_513, 200_000] {
            let realm = String(repeating: "a", count: length)
            #expect(
                try rig.get(
                    "protocol=https\nhost=badguy.com\nwwwauth[]=basic realm=\(realm)host=victim.com\n"
                ) == "")
        }
    }

    @Test("values of 200 kB are stored and answered")
    func longValues() throws {
        let rig = GitRig()
        let token = String(repeating: "t", count: 200_000)
        try rig.store("protocol=https\nhost=h\nusername=u\npassword=\(token)\n")
        #expect(try rig.get("protocol=https\nhost=h\n") == "username=u\npassword=\(token)\n")
    }

    @Test("the answer to capability")
    func capabilities() {
        let answer = GitCredentialHelper.capabilities.text
        #expect(answer == "version 0\ncapability authtype\ncapability state\n")
    }
}
