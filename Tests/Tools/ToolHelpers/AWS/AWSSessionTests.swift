import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("the aws helper's sessions")
struct AWSSessionTests {
    private let keychain = Keychain(inMemoryFor: .aws)

    private func session(_ arguments: String...) -> ScriptedSession {
        ScriptedSession("aws-credential-lanyard", arguments, in: keychain)
    }

    private func run() throws { try ToolHelper.aws.run(session("work")) }

    private func add(_ key: ByteString, _ secret: String) throws {
        var name = ItemAttributes()
        name.service = "work"
        name.account = key
        var item = try ToolFormat.aws.attributes(name)
        item.accessGroup = ToolFormat.aws.accessGroup
        _ = try keychain.add(.genericPassword, item, secret: Secret(secret))
    }

    @Test("an access key, and the session that was added last")
    func credentials() throws {
        try add("AKIA0", "s/0")
        let session = session("work")
        session.input = Array("rest".utf8)
        try ToolHelper.aws.run(session)
        #expect(
            session.output
                == #"{"Version":1,"AccessKeyId":"AKIA0","SecretAccessKey":"s/0"}"# + "\n")
        #expect(session.input == Array("rest".utf8))
        // One second after the session's time, which is ScriptedSession's.
        try add("ASIA1", "s1\nsession_token=t=1\nexpiration=2027-01-15T09:00:01+01:00")
        let another = self.session("work")
        try ToolHelper.aws.run(another)
        #expect(
            another.output == """
                {"Version":1,"AccessKeyId":"ASIA1","SecretAccessKey":"s1","SessionToken":"t=1",\
                "Expiration":"2027-01-15T08:00:01Z"}

                """)
    }

    @Test("an expired session is an error that names it, unless another key is valid")
    func expired() throws {
        try add("ASIA1", "s1\nexpiration=2027-01-15T07:59:59Z")
        let error = #expect(throws: KeychainError.self) { try run() }
        #expect(error?.status == .itemNotFound)
        #expect(error?.reason == "the session of 'work' has expired")
        #expect(error?.hint?.hasSuffix("--for aws --stdin work ASIA1") == true)
        try add("AKIA0", "s0")
        var changed = Query(.genericPassword)
        changed.attributes.account = "ASIA1"
        try keychain.update(changed, secret: Secret("s1\nexpiration=2026-01-15T07:59:59Z"))
        let session = session("work")
        try ToolHelper.aws.run(session)
        #expect(session.output.contains("AKIA0"))
    }

    @Test("a profile without a key, and a secret that another program stored")
    func missing() throws {
        let none = #expect(throws: KeychainError.self) { try run() }
        #expect(none?.status == .itemNotFound)
        #expect(none?.hint == "lanyard set --for aws work ACCESS-KEY-ID")
        try add("AKIA0", "secret-bilby\nnonsense")
        let error = #expect(throws: KeychainError.self) { try run() }
        #expect(error?.status == .decode && error?.reason.contains("bilby") == false)
    }

    @Test(
        "secrets",
        arguments: [
            ("s", true), ("s\nsession_token=t", true), ("s\nexpiration=2027-01-31T12:00:00Z", true),
            ("s\nexpiration=20270131", false), ("s\nexpiration=", false), ("", false),
            ("s\n", false),
            ("\nsession_token=t", false), ("s t", false), ("s\nregion=r", false),
            ("s\nsession_token=t\nsession_token=t", false), ("s\r\nsession_token=t", false),
        ])
    func secrets(secret: String, isValid: Bool) {
        #expect(AWSSession(Secret(secret)).isValid == isValid)
    }

    @Test("names without a profile or a key")
    func names() {
        for (service, account) in [
            (nil, "AKIA0"), ("work", nil), ("", "AKIA0"), ("work", "secret/key+"),
        ] as [(ByteString?, ByteString?)] {
            var name = ItemAttributes()
            name.service = service
            name.account = account
            #expect(throws: KeychainError.self) { try ToolFormat.aws.attributes(name) }
        }
    }

    @Test("another expiry leaves the session token")
    func renewed() {
        let session = AWSSession(Secret("s\nexpiration=2027-01-31T12:00:00Z\nsession_token=t"))
        let text = session.text(expiration: Timestamp(secondsSinceEpoch: 0))
        let isRight = text.isEqual(
            to: Secret("s\nsession_token=t\nexpiration=1970-01-01T00:00:00Z"))
        #expect(isRight)
    }

    @Test("invalid arguments", arguments: [[], ["a", "b"], ["--nonsense"]])
    func invalid(arguments: [String]) {
        #expect(throws: KeychainError(.param)) {
            try ToolHelper.aws.run(
                ScriptedSession("aws-credential-lanyard", arguments, in: keychain))
        }
    }
}
