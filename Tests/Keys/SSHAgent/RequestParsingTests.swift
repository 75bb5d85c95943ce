import KeychainServices
import Testing

@testable import SSHAgent

@Suite struct RequestParsingTests {
    /// A short text for what a message is parsed as.
    private func kind(_ message: Message) throws(KeychainError) -> String {
        switch try AgentRequest(parsing: message.secret) {
        case .requestIdentities: "list"
        case .sign(let request): "sign \(request.data) \(request.flags.rawValue)"
        case .add(let new):
            "add \(new.comment) \(new.constraints.lifetime ?? 0) \(new.constraints.isConfirmed)"
        case .remove(let key): "remove \(key)"
        case .removeAll: "remove all"
        case .lock(let password): "lock \(ByteString(password.array()))"
        case .unlock(let password): "unlock \(ByteString(password.array()))"
        case .query: "query"
        case .bindSession(let binding): "bind \(binding.session) \(binding.isForwarding)"
        case .unsupported: "unsupported"
        }
    }

    static let requests: [(String, Message)] = [
        ("list", Message(11)),
        ("sign text 4", Message(13).string("key").string("text").number(4)),
        ("add me 0 false", Message(17).adding(SampleAgentKey.ed25519(1).bytes).string("me")),
        ("add me 0 false", Message(17).adding(SampleAgentKey.rsa.bytes).string("me")),
        ("add me 0 false", Message(17).adding(SampleAgentKey.ecdsa.bytes).string("me")),
        (
            "add me 60 true",
            Message(25).adding(SampleAgentKey.rsa.bytes).string("me").byte(1).number(60).byte(2)
        ),
        ("add  0 false", Message(25).adding(SampleAgentKey.rsa.bytes).string("")),
        ("remove key", Message(18).string("key")),
        ("remove all", Message(19)),
        ("lock word", Message(22).string("word")),
        ("unlock word", Message(23).string("word")),
        ("query", Message(27).string("query")),
        (
            "bind id true",
            Message(27).string("session-bind@openssh.com").string("host").string("id")
                .string("signature").byte(1)
        ),
        ("unsupported", Message(27).string("other@example.org").adding([1, 2, 3])),
        ("unsupported", Message(20).string("reader").string("1234")),
        ("unsupported", Message(21).string("reader").string("1234")),
        ("unsupported", Message(26).string("reader").string("1234").byte(1)),
        ("unsupported", Message(1)),
        ("unsupported", Message(255)),
    ]

    @Test(arguments: requests)
    func requestIsParsed(_ expected: String, _ message: Message) throws {
        #expect(try kind(message) == expected)
    }

    @Test(arguments: requests.filter { $0.0 != "unsupported" })
    func cutOrLongerRequestIsRefused(_ expected: String, _ message: Message) {
        for count in 0..<message.bytes.count {
            var cut = Message()
            cut.bytes = Array(message.bytes.prefix(count))
            let parsed = try? kind(cut)
            // A prefix that ends behind a constraint, or behind the comment, is whole.
            #expect(parsed == nil || expected.hasPrefix("add"), "\(count) bytes")
        }
        #expect(throws: KeychainError(.param)) { try kind(message.byte(0)) }
    }

    @Test(arguments: [
        // Constraints: unknown, repeated, an extension, that of XMSS.
        Message(25).adding(SampleAgentKey.rsa.bytes).string("me").byte(9),
        Message(25).adding(SampleAgentKey.rsa.bytes).string("me").byte(2).byte(2),
        Message(25).adding(SampleAgentKey.rsa.bytes).string("me").byte(1).number(1).byte(1).number(
            2),
        Message(25).adding(SampleAgentKey.rsa.bytes).string("me").byte(255).string("restrict")
            .string(
                ""),
        Message(25).adding(SampleAgentKey.rsa.bytes).string("me").byte(3).number(1),
        // Constraints without the message for them.
        Message(17).adding(SampleAgentKey.rsa.bytes).string("me").byte(2),
        // Types of keys that can't be added, and a curve of another type.
        Message(17).string("ssh-dss").string([1]).string("me"),
        Message(17).string("ssh-ed25519-cert-v01@openssh.com").string([1]).string("me"),
        Message(17).string("ecdsa-sha2-nistp256").string("nistp384").string([4]).string([1])
            .string("me"),
        // Numbers with a sign, with needless zeros, and Ed25519 keys of a wrong size.
        Message(17).string("ssh-rsa").string([0x80]).string([3]).string([1]).string([1]).string([1])
            .string([1]).string("me"),
        Message(17).string("ssh-rsa").string([0, 1]).string([3]).string([1]).string([1]).string([1])
            .string([1]).string("me"),
        Message(17).string("ssh-rsa").string([5]).string([3]).string([0, 1]).string([1])
            .string([1]).string([1]).string("me"),
        Message(17).string("ssh-ed25519").string([1]).string([1]).string("me"),
        Message(17).string("ssh-ed25519").string([UInt8](repeating: 1, count: 32))
            .string([UInt8](repeating: 2, count: 64)).string("me"),
        // A length beyond the message.
        Message(13).number(0xFFFF_FFFF), Message(18).number(5).adding([1, 2, 3, 4]),
    ])
    func malformedRequestIsRefused(_ message: Message) {
        #expect(throws: KeychainError(.param)) { try kind(message) }
    }

    @Test func publicKeyIsThatOfTheKey() throws {
        func publicKey(_ key: Message) throws(KeychainError) -> [UInt8] {
            try WirePrivateKey.parse(key.secret).publicKey.bytes
        }
        #expect(try publicKey(SampleAgentKey.ed25519(7)) == SampleAgentKey.ed25519Public(7))
        #expect(
            try publicKey(SampleAgentKey.rsa)
                == Message().string("ssh-rsa").string([1, 0, 1]).string([0, 0xC1, 2, 3]).bytes)
        #expect(
            try publicKey(SampleAgentKey.ecdsa)
                == Message().string("ecdsa-sha2-nistp256").string("nistp256")
                .string([4] + [UInt8](repeating: 9, count: 64)).bytes)
    }

    @Test func longCommentIsCut() throws {
        let comment = String(repeating: "é", count: 1000)
        let message = Message(17).adding(SampleAgentKey.rsa.bytes).string(comment)
        switch try AgentRequest(parsing: message.secret) {
        case .add(let new): #expect(new.comment.description == String(repeating: "é", count: 512))
        default: Issue.record("the request adds a key")
        }
    }
}
