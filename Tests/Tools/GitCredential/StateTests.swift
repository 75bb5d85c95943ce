import KeychainServices
import StoreConformance
import Testing

@testable import GitCredential

@Suite("state")
struct StateTests {
    let place = "capability[]=state\nprotocol=https\nhost=example.com\n"

    /// What git sends after a get: what it had asked with, and the answer.
    private func echo(_ request: String, _ answer: String) -> String {
        request + answer
    }

    @Test("an answer carries a digest if the request announced the capability")
    func answered() throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=example.com\nusername=me\npassword=secret\n")
        let answer = try rig.get(place)
        let lines = answer.split(separator: "\n")
        #expect(lines.dropLast() == ["capability[]=state", "username=me", "password=secret"])
        #expect(lines.last?.hasPrefix("state[]=lanyard:") == true)
        #expect(lines.last?.count == "state[]=lanyard:".count + 16)
        #expect(try rig.get(place) == answer, "the same each time")
        #expect(try rig.get("protocol=https\nhost=example.com\n").contains("state") == false)
    }

    @Test("without a key of the machine there is no state")
    func noKey() throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=example.com\nusername=me\npassword=secret\n")
        let answer = try rig.get(place)
        rig.stateKey = nil
        #expect(try rig.get(place) == "username=me\npassword=secret\n")
        rig.store.counts = Counts()
        try rig.store(echo(place, answer))
        #expect(rig.store.counts == Counts(lookUps: 1, secretLookUps: 1), "it is looked up")
    }

    @Test(
        "the store that git sends after a get does not touch the keychain",
        arguments: [
            "username=me\npassword=secret\n", "password=secret\n", "username=\npassword=\n",
            "username=me\npassword=p\npassword_expiry_utc=5000\noauth_refresh_token=t\n",
            "capability[]=authtype\nusername=me\nauthtype=Bearer\ncredential=c\n",
            "capability[]=authtype\nusername=me\npassword=p\nauthtype=Bearer\ncredential=c\n",
        ])
    func storeAfterGet(login: String) throws {
        let rig = GitRig()
        let request = place + "capability[]=authtype\n"
        try rig.store(request + login)
        rig.store.counts = Counts()
        let answer = try rig.get(request)
        #expect(rig.store.counts.lookUps == 1)
        try rig.store(echo(request, answer))
        #expect(rig.store.counts == Counts(lookUps: 1, secretLookUps: 1))
    }

    @Test("an item found by wildcard is not stored a second time under what git asked with")
    func wildcard() throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=example.com\npath=a\nusername=me\npassword=secret\n")
        rig.store.counts = Counts()
        let answer = try rig.get(place)
        try rig.store(echo(place, answer))
        #expect(rig.store.counts == Counts(lookUps: 1, secretLookUps: 1))
        #expect(try rig.items == ["htps example.com - a me = secret"])
    }

    @Test("a username that only the request had is part of it")
    func usernameOfRequest() throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=example.com\npassword=secret\n")
        let request = place + "username=\n"
        let answer = try rig.get(request)
        #expect(!answer.contains("username"))
        rig.store.counts = Counts()
        try rig.store(echo(request, answer))
        #expect(rig.store.counts == Counts())
    }

    @Test("a login erased in the meantime does not come back")
    func erasedMeanwhile() throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=example.com\nusername=me\npassword=secret\n")
        let answer = try rig.get(place)
        try rig.erase("protocol=https\nhost=example.com\n")
        try rig.store(echo(place, answer))
        #expect(try rig.items == [])
    }

    @Test(
        "a state does not hide different logins",
        arguments: [
            ("password=", "other"), ("username=", "you"), ("host=", "other.com"),
            ("protocol=", "http"), ("path=", "a"), ("host=", "example.com:80"),
        ])
    func differing(key: String, value: String) throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=example.com\nusername=me\npassword=secret\n")
        let answer = try rig.get(place)
        let before = try rig.items
        let lines = echo(place, answer).split(separator: "\n").filter { !$0.hasPrefix(key) }
        try rig.store((lines + ["\(key)\(value)"]).joined(separator: "\n"))
        #expect(try rig.items != before)
    }

    @Test(
        "a made-up state hides nothing",
        arguments: [
            "lanyard:", "lanyard:0000000000000000", "other:x", "lanyard", "LANYARD:0",
        ])
    func forged(state: String) throws {
        let rig = GitRig()
        try rig.store(place + "username=me\npassword=secret\nstate[]=\(state)\n")
        #expect(try rig.items == ["htps example.com - - me = secret"])
    }

    @Test("a state of another machine's key hides nothing, among others the right one counts")
    func keys() throws {
        let rig = GitRig()
        let login = "username=me\npassword=secret\n"
        try rig.store(place + login)
        let answer = try rig.get(place)
        try rig.erase(place)
        rig.stateKey = 2
        try rig.store(echo(place, answer))
        #expect(try rig.items == ["htps example.com - - me = secret"])
        try rig.erase(place)
        rig.stateKey = 1
        try rig.store(
            place + "state[]=other:1\nstate[]=lanyard:2\n" + answer + "state[]=lanyard:3\n")
        #expect(try rig.items == [])
        try rig.store(echo(place, answer) + "state[]=\n")
        #expect(try rig.items.count == 1, "the list was cleared")
    }

    @Test("an expired password, never answered, counts as new")
    func expired() throws {
        let rig = GitRig(now: 1_000)
        try rig.store(
            "protocol=https\nhost=example.com\nusername=me\npassword=p\n"
                + "password_expiry_utc=1500\noauth_refresh_token=t\n")
        rig.now = 2_000
        let answer = try rig.get(place)
        #expect(answer.contains("state[]=lanyard:"))
        try rig.store(echo(place, answer) + "password=p\n")
        #expect(try rig.items == ["htps example.com - - me = p|oauth_refresh_token=t"])
    }

    @Test("the digest separates all fields")
    func encoding() throws {
        func encoding(_ request: String) throws(KeychainError) -> [UInt8] {
            let request = try GitCredentialRequest(parsing: Secret(request))
            var text: [UInt8] = []
            _ = StateToken.make(request, username: request.username, request.loginToKeep()) {
                text = $0.bytes
                return []
            }
            return text
        }
        let length = [UInt8](repeating: 0, count: 7)
        #expect(
            try encoding("protocol=ab\nhost=\nusername=u\npassword=p\npassword_expiry_utc=7\n")
                == Array("git state 1".utf8) + [1] + length + [2] + Array("ab".utf8)
                + [1] + length + [0] + [0] + [1] + length + [1] + Array("u".utf8) + [0]
                + [1] + length + [1] + Array("7".utf8) + [1] + length + [1] + Array("p".utf8)
                + [0, 0])
        let requests = [
            "", "protocol=", "protocol=x", "host=", "host=x", "path=", "path=x", "username=",
            "username=x", "password=", "password=x", "password_expiry_utc=1",
            "oauth_refresh_token=x", "protocol=x\nhost=x", "protocol=xx\nhost=",
            "protocol=\nhost=xx", "capability[]=authtype\nauthtype=x",
            "capability[]=authtype\nauthtype=x\ncredential=y",
            "capability[]=authtype\nauthtype=x\npassword=y",
        ]
        let encodings = try requests.map { try encoding($0) }
        #expect(Set(encodings).count == requests.count)
    }

    @Test("nothing that git gets contains a password")
    func digestOnly() throws {
        let rig = GitRig()
        try rig.store("protocol=https\nhost=example.com\nusername=me\npassword=hunter2\n")
        let state = try rig.get(place).split(separator: "\n").last ?? ""
        #expect(!state.contains("hunter2") && !state.contains("68756e74657232"))
    }
}
