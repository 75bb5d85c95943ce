import KeychainServices
import TestSupport
import Testing

@testable import ToolHelpers

@Suite("the prompts of ssh, git and sudo")
struct PromptTests {
    @Test(
        arguments: [
            ("Enter passphrase for key '/home/ada/.ssh/id_ed25519': ", "/home/ada/.ssh/id_ed25519"),
            ("Enter passphrase for /home/ada/.ssh/id_ed25519: ", "/home/ada/.ssh/id_ed25519"),
            ("Enter passphrase for /k (will confirm each use): ", "/k"),
            ("Enter passphrase for /it's mine: here: ", "/it's mine: here"),
        ] as [(String, ByteString)])
    func keys(text: String, path: ByteString) {
        #expect(AskpassPrompt(text) == .keyPassphrase(path: path, isRetry: false))
        let retry = text.replacing("key '", with: "").replacing("': ", with: ": ")
            .replacing("Enter passphrase", with: "Bad passphrase, try again")
        #expect(AskpassPrompt(retry) == .keyPassphrase(path: path, isRetry: true))
    }

    /// Newer versions of ssh-keygen ask so.
    @Test(arguments: ["/home/ada/.ssh/id", "id", "/my keys/it's", "/k\": x"] as [ByteString])
    func quotedKey(path: ByteString) {
        #expect(
            AskpassPrompt("Enter passphrase for \"\(path)\": ")
                == .keyPassphrase(path: path, isRetry: false))
    }

    @Test(
        arguments: [
            ("ada@host.example's password: ", "ada", "host.example"),
            ("(ada@host.example) Password: ", "ada", "host.example"),
            ("ada@example.org@Host's password: ", "ada@example.org", "host"),
            ("ada@::1's password: ", "ada", "[::1]"),
        ] as [(String, ByteString, ByteString)])
    func hosts(text: String, user: ByteString, host: ByteString) {
        #expect(AskpassPrompt(text) == .hostPassword(user: user, host: host))
    }

    @Test(
        arguments: [
            ("https://example.com", "https", nil, "example.com", nil),
            ("https://ada@example.com:8443", "https", "ada", "example.com:8443", nil),
            ("https://ada%40b.org@example.com", "https", "ada@b.org", "example.com", nil),
            ("http://[::1]:80/a/b.git", "http", nil, "[::1]:80", "a/b.git"),
            ("https://@example.com", "https", "", "example.com", nil),
        ] as [(String, ByteString, ByteString?, ByteString, ByteString?)])
    func git(
        url: String, protocol: ByteString, username: ByteString?, host: ByteString,
        path: ByteString?
    ) throws {
        guard case .gitPassword(let found) = AskpassPrompt("Password for '\(url)': ") else {
            Issue.record("not git's: \(url)")
            return
        }
        #expect(AskpassPrompt("Username for '\(url)': ") == .gitUsername(found))
        #expect(found.protocol == `protocol` && found.username == username)
        #expect(found.host == host && found.path == path)
    }

    @Test func sudo() {
        #expect(AskpassPrompt("[sudo] password for ada: ") == .sudoPassword(user: "ada"))
        for text in ["[sudo] Passwort für ada: ", "[sudo] password for : "] {
            #expect(AskpassPrompt(text) == .unknownSudo)
        }
    }

    @Test(
        "questions, and what SSH_ASKPASS_PROMPT says",
        arguments: [
            (
                "The authenticity of host 'h (::1)' can't be established.\nAre you sure you want to continue"
                    + " connecting (yes/no/[fingerprint])? ", nil, .question
            ),
            ("Allow use of key /k?", "confirm", .consent),
            ("Enter passphrase for /k: ", "confirm", .consent),
            ("Confirm user presence for key /k", "none", .notice),
            ("Enter passphrase for /k: ", "other", .unknown),
        ] as [(String, String?, AskpassPrompt)])
    func questions(text: String, kind: String?, prompt: AskpassPrompt) {
        #expect(AskpassPrompt(text, kind: kind) == prompt)
    }

    /// What is not the whole prompt, and what could be of another host than it seems.
    @Test(
        arguments: [
            "", " ", "Password: ", "Enter passphrase: ", "Enter passphrase for : ",
            "x Enter passphrase for /k: ",
            "Enter PIN for 'token': ", "Enter passphrase for PKCS#11: ",
            "Enter passphrase for \"/k\" (empty for no passphrase): ",
            "Enter passphrase for /a\nb: ", "Enter passphrase for /a\u{1B}[2J: ",
            "enter passphrase for /k: ", "@host's password: ", "ada@'s password: ",
            "ada's password: ", "(ada@evil) x) Password: ", "(ada@evil) @bank) Password: ",
            "(ada@evil) Verification code: ", "(ada@evil) ada@bank's password: ",
            "(ada@evil) [sudo] password for ada: ",
            "(ada@evil) Password for 'https://github.com': ",
            "(ada@evil) Enter passphrase for key '/k': ",
            "123456789012345678901234567890@host's password: ",
            "ada@\(String(repeating: "h", count: 128))'s password: ",
            "ada@\(String(repeating: "0:", count: 63))'s password: ",
            "[sudo] ", "Password for 'https://': ", "Password for 'example.com': ",
            "Password for 'https://github.com/x@evil': ",
            "Password for 'https://ada@evil/x@github.com': ", "Password for 'https://a@b@c': ",
            "Password for 'https://ada%4@c': ", "Password for 'https://a%0Ab@c': ",
            "Password for 'https://github.com': 'https://evil': ",
        ])
    func unknown(text: String) {
        #expect(AskpassPrompt(text) == .unknown)
    }

    /// Nothing that a prompt holds has a control character, and what a server adds to its own prompts never
    /// makes one of another host's.
    @Test func hostilePrompts() {
        var random = SeededRandom()
        let prompts = [
            "Enter passphrase for key '/k': ", "Bad passphrase, try again for /k: ",
            "ada@host's password: ",
            "(ada@host) Password: ", "Username for 'https://ada@host/x': ",
            "[sudo] password for ada: ",
            "Password for 'https://host': ", "(yes/no)? ",
        ]
        for _ in 1...20_000 {
            var bytes = Array(random.element(of: prompts).utf8)
            for _ in 0...random.number(below: 4) {
                bytes = random.mutated(bytes)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            for value in AskpassPrompt(text).values {
                #expect(
                    !value.bytes.contains { $0 < 0x20 || $0 == 0x7F }, "\(text.debugDescription)")
            }
            switch AskpassPrompt("(ada@evil) \(text)") {
            case .unknown, .question: break
            case .hostPassword(_, let host): #expect(host == "evil", "\(text.debugDescription)")
            case let other: Issue.record("\(other): \(text.debugDescription)")
            }
        }
    }

    @Test func hugePrompts() {
        let long = String(repeating: "a'@): ", count: 1 << 18)
        for text in [
            long, "Enter passphrase for key '\(long)", "(\(long)) Password: ",
            "Password for 'https://\(long)': ", "\(long)'s password: ",
        ] {
            #expect(AskpassPrompt(text) == .unknown)
        }
    }
}

extension AskpassPrompt {
    fileprivate var values: [ByteString] {
        switch self {
        case .keyPassphrase(let path, _): [path]
        case .hostPassword(let user, let host): [user, host]
        case .sudoPassword(let user): [user]
        case .gitUsername(let url), .gitPassword(let url):
            [url.protocol, url.host] + [url.username, url.path].compactMap { $0 }
        case .unknownSudo, .question, .consent, .notice, .unknown: []
        }
    }
}
