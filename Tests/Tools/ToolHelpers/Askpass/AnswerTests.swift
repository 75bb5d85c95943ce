import GitCredential
import KeychainServices
import Testing

@testable import ToolHelpers

@Suite("answers to prompts")
struct AnswerTests {
    private static let key = "Enter passphrase for key '/home/ada/.ssh/id': "
    private static let retry = "Bad passphrase, try again for /home/ada/.ssh/id: "
    private static let host = "ada@Host's password: "
    private static let sudo = "[sudo] password for ada: "

    private let keychain = Keychain(
        InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) }),
        accessGroups: .all(addingTo: "askpass"))

    init() throws {
        try store("/home/ada/.ssh/id", nil, "phrase")
        try store("sudo", "ada", "root's")
        var server = ItemAttributes()
        server.protocol = .ssh
        server.server = "HOST"
        server.account = "ada"
        server.port = 0
        try keychain.add(
            .internetPassword, try ToolFormat.askpass.attributes(server), secret: Secret("remote"))
        let git = GitCredentialHelper(
            keychain: keychain, now: Timestamp(secondsSinceEpoch: 0), stateDigest: { _ in nil })
        try git.store(
            GitCredentialRequest(
                parsing: Secret(
                    "protocol=https\nhost=example.com:8443\nusername=a@b\npassword=token\n")))
    }

    private func store(_ service: ByteString, _ account: ByteString?, _ secret: String) throws {
        var name = ItemAttributes()
        name.service = service
        name.account = account
        try keychain.add(
            .genericPassword, try ToolFormat.askpass.attributes(name), secret: Secret(secret))
    }

    /// The answer, or the error's line with `1: ` before it and the hint behind it. The user answers with
    /// `typed` and what was asked for.
    private func answer(
        _ text: String, kind: String? = nil, isRepeated: Bool = false, typed: String? = "typed"
    ) -> String {
        let helper = AskpassHelper(keychain: keychain, now: Timestamp(secondsSinceEpoch: 0))
        do throws(KeychainError) {
            let answer = try helper.answer(
                AskpassPrompt(text, kind: kind), isRepeated: isRepeated
            ) { question throws(KeychainError) in
                guard let typed else {
                    throw KeychainError(
                        .interactionNotAllowed, "lanyard can't prompt here", hint: question.hint)
                }
                return Secret(
                    "\(typed)\(question.isShown ? "" : " secretly")"
                        + (question.error.map { ": \($0)" } ?? ""))
            }
            return answer.withBytes { ByteString(copying: $0).description }
        } catch {
            return "1: \(error.reason) | \(error.hint ?? "")"
        }
    }

    @Test(
        arguments: [
            (key, "phrase"), ("Enter passphrase for /home/ada/.ssh/id: ", "phrase"),
            ("Enter passphrase for \"/home/ada/.ssh/id\": ", "phrase"),
            (host, "remote"), ("(ada@host) Password: ", "remote"), (sudo, "root's"),
            ("Username for 'https://example.com:8443': ", "a@b"),
            ("Password for 'https://a%40b@example.com:8443': ", "token"),
        ])
    func isStored(prompt: String, secret: String) {
        #expect(answer(prompt, typed: nil) == secret)
    }

    @Test(
        arguments: [
            "Enter passphrase for key '/home/ada/.ssh/other': ", "bob@host's password: ",
            "ada@other's password: ", "[sudo] password for bob: ", "Password: ",
            "Password for 'https://bob@example.com:8443': ",
            "Password for 'http://a%40b@example.com:8443': ",
            "Password for 'https://a%40b@example.com': ",
        ])
    func isAskedFor(prompt: String) {
        #expect(answer(prompt) == "typed secretly")
    }

    @Test func aWrongOneIsNotGivenAgain() {
        let refused = "typed secretly: the stored secret was rejected"
        #expect(answer(AnswerTests.key, isRepeated: true) == refused)
        #expect(answer(AnswerTests.retry) == refused)
        #expect(answer(AnswerTests.sudo, isRepeated: true) == refused)
        let other = "Bad passphrase, try again for /home/ada/.ssh/other: "
        #expect(answer(other, isRepeated: true) == "typed secretly")
    }

    @Test(
        "without a way to prompt, one line says what to do",
        arguments: [
            (
                "ada@other's password: ", "no secret is stored for this",
                "lanyard set --for askpass ssh://ada@other"
            ),
            (
                "a:b@FE80::1's password: ", "no secret is stored for this",
                "lanyard set --for askpass 'ssh://a%3Ab@[fe80::1]'"
            ),
            (
                "Password for 'https://a%3Ab@git.example': ", "no secret is stored for this",
                "lanyard set --for git https://a%3Ab@git.example"
            ),
            (
                "Enter passphrase for /k: ", "no secret is stored for this",
                "lanyard set --for askpass /k"
            ),
            (
                "Enter passphrase for id: ", "no secret is stored for this",
                "name the key by its absolute path, such as \"$PWD/KEY\""
            ),
            (
                "Enter passphrase for ./$(id): ", "no secret is stored for this",
                "name the key by its absolute path, such as \"$PWD/KEY\""
            ),
            (
                "Enter passphrase for \"/my key\": ", "no secret is stored for this",
                "lanyard set --for askpass '/my key'"
            ),
            (
                "Enter passphrase for PKCS#11: ", "unknown prompt",
                "run the program at a terminal"
            ),
            (
                "Enter passphrase for /my keys/$(id)'s: ", "no secret is stored for this",
                "lanyard set --for askpass '/my keys/$(id)'\\''s'"
            ),
            (
                "`id`@other's password: ", "no secret is stored for this",
                "lanyard set --for askpass 'ssh://`id`@other'"
            ),
            (
                retry, "the stored secret was rejected",
                "lanyard set --for askpass /home/ada/.ssh/id"
            ),
            (
                "[sudo] password for bob: ", "no secret is stored for this",
                "lanyard set --for askpass sudo bob"
            ),
            (
                "Password for 'https://bob@example.com': ", "no secret is stored for this",
                "lanyard set --for git https://bob@example.com"
            ),
            (
                "[sudo] Passwort für ada: ", "unknown prompt",
                "export SUDO_PROMPT='[sudo] password for %p: '"
            ),
            ("PIN: ", "unknown prompt", "run the program at a terminal"),
            ("sure (yes/no)? ", "only you can answer this", "run the program at a terminal"),
        ])
    func noPrompt(prompt: String, reason: String, hint: String) {
        #expect(
            answer(prompt, typed: nil) == "1: \(reason), and lanyard can't prompt here | \(hint)")
    }

    @Test func consentIsAPersonsOnly() {
        for (typed, outcome) in [
            ("yes", "yes"), ("Y", "yes"), ("", "1: not confirmed | "),
            ("no", "1: not confirmed | "),
        ] {
            #expect(answer(AnswerTests.key, kind: "confirm", typed: typed) == outcome)
        }
        #expect(answer("sure (yes/no)? ", typed: "SHA256:x") == "SHA256:x")
    }

    @Test func negativeItemsAndOtherGroupsAnswerNothing() throws {
        var attributes = ItemAttributes.sudo("bob")
        attributes.isNegative = true
        try keychain.add(.genericPassword, attributes, secret: Secret(""))
        #expect(answer("[sudo] password for bob: ") == "typed secretly")
        attributes = .sudo("eve")
        attributes.accessGroup = "login"
        try keychain.add(.genericPassword, attributes, secret: Secret("pw"))
        #expect(answer("[sudo] password for eve: ") == "typed secretly")
    }

    @Test func whatIsNoLineIsNoAnswer() throws {
        try store("sudo", "eve", "two\nlines")
        #expect(
            answer("[sudo] password for eve: ") == "1: passwords for askpass must be one line | ")
    }

    @Test func namesThatNoPromptHas() {
        for (service, account) in [
            ("id", nil), ("sudo", nil), ("sudo", ""), ("mail", "ada"), ("OpenSSH", nil),
        ] as [(ByteString, ByteString?)] {
            #expect(throws: KeychainError(.param)) { try store(service, account, "pw") }
        }
        for `protocol` in [ProtocolType.https, .ssh] {
            var name = ItemAttributes()
            name.protocol = `protocol`
            name.server = "host"
            #expect(throws: KeychainError(.param)) { try ToolFormat.askpass.attributes(name) }
        }
    }
}
