import RandomNumbers
import ItemImport
import Keychain
import Testing

@Suite struct PassEntryTests {
    private func content(_ name: ByteString, _ text: String) -> Entry.Content {
        Entry.Content(PassEntry(name: name).content(of: Secret(text)))
    }

    private func login(_ name: ByteString, _ text: String) throws -> Login {
        guard case .item(let login) = content(name, text) else {
            throw KeychainError(.itemNotFound)
        }
        return login
    }

    @Test(
        arguments: [
            ("web/example.com/ada", "pw\n", "example.com", "ada", nil, nil),
            ("example.com/ada", "pw", "example.com", "ada", nil, nil),
            (
                "Example.com:8443/ada@example.org", "pw\r\n", "example.com", "ada@example.org",
                8443, nil
            ),
            ("example.com/ada", "pw\nLogin: bob\n", "example.com", "bob", nil, nil),
            ("web/example.com", "pw\nuser: bob", "example.com", "bob", nil, nil),
            (
                "any/name", "pw\nurl: https://example.com/x\n\nusername:bob\n", "example.com",
                "bob", nil, "x"
            ),
            ("example.org/ada", "pw\nURL: example.com\n", "example.com", "ada", nil, nil),
            ("any/name", "pw\nurl: https://bob@example.com", "example.com", "bob", nil, nil),
        ] as [(ByteString, String, ByteString, ByteString, UInt16?, ByteString?)])
    func withAHostItIsAnInternetPassword(
        _ name: ByteString, _ text: String, _ server: ByteString, _ account: ByteString,
        _ port: UInt16?, _ path: ByteString?
    ) throws {
        let login = try login(name, text)
        #expect(login.itemClass == .internetPassword)
        let expected = attributes {
            $0.accessGroup = "login"
            $0.label = name
            $0.server = server
            $0.account = account
            $0.port = port
            $0.path = path
            $0.protocol = text.contains("https") ? .https : nil
        }
        #expect(login.attributes == expected)
        #expect(login.text == "pw")
    }

    @Test(
        arguments: [
            ("mail/work", "pw\n", nil), ("example.com", "pw", nil), ("notes.old/x/y", "pw", nil),
            ("a/1.2/b", "pw", nil), ("mail/work", "pw\nlogin: bob\n", "bob"), ("", "pw", nil),
        ] as [(ByteString, String, ByteString?)])
    func withoutAHostItIsAGenericPassword(
        _ name: ByteString, _ text: String, _ account: ByteString?
    ) throws {
        let login = try login(name, text)
        #expect(login.itemClass == .genericPassword)
        #expect(login.attributes.service == name)
        #expect(login.attributes.account == account)
        #expect(login.text == "pw")
    }

    @Test(
        arguments: [
            "pw\nlogin: ada\notpauth://totp/x?secret=ABC\n", "pw\n\nsecret question: blue\n",
            "pw\nlogin: ada\nlogin: bob\n", "pw\nurl: https://ada:pw@example.com/\n",
            "pw\nurl: https://example.com/?token=1\n", "pw\nurl: nothing of the kind\n",
            "\nkey: value\n", "pw\nlogin:\n", "pw\nmore",
        ])
    func whatSaysMoreIsKeptWholeAndUnseen(_ text: String) throws {
        let login = try login("web/example.com/ada", text)
        #expect(login.itemClass == .genericPassword)
        let expected = attributes {
            $0.accessGroup = "login"
            $0.label = "web/example.com/ada"
            $0.service = "web/example.com/ada"
        }
        #expect(login.attributes == expected)
        #expect(login.text == text)
    }

    @Test(arguments: ["", "\n", "\r\n", "\nlogin: ada\n"])
    func withoutAPasswordItIsSkipped(_ text: String) {
        #expect(content("example.com/ada", text) == .skipped("it has no password"))
    }

    @Test func anyBytesAreKeptAsTheyAre() throws {
        var random = SeededRandom()
        for _ in 0..<300 {
            let password = [UInt8(ascii: "p")] + random.line()
            let rest = random.number(below: 2) == 0 ? [] : [0x0A] + random.bytes()
            let content = Entry.Content(
                PassEntry(name: "x").content(of: Secret(copying: (password + rest).span)))
            guard case .item(let login) = content else {
                Issue.record("\(password) \(rest)")
                continue
            }
            // The whole text, or the password and nothing else in the text than an attribute.
            let isWhole = login.secret == password + rest
            #expect(
                isWhole || login.secret == password,
                "\(password) \(rest)")
            let saysNothing = rest.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
            #expect(saysNothing == (login.secret == password) || login.attributes.account != nil)
        }
    }
}
