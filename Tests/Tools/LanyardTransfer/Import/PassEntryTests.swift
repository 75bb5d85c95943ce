import TestSupport
import LanyardTransfer
import KeychainServices
import Testing

@Suite struct PassEntryTests {
    private func content(_ name: ByteString, _ text: String) -> Entry.Content {
        contents(name, text)[0]
    }

    private func contents(_ name: ByteString, _ text: String) -> [Entry.Content] {
        PassEntry(name: name).contents(of: Secret(text)).map { Entry.Content($0) }
    }

    private func login(_ name: ByteString, _ text: String) throws -> ImportedLogin {
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

    /// As pass-otp stores them: in a line of their own, or alone.
    @Test func otpauthURLsAreItems() throws {
        let url = "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ"
        let both = contents("web/example.com/ada", "pw\r\n\(url)\r\n")
        guard both.count == 2, case .item(let login) = both[0], case .item(let code) = both[1]
        else {
            Issue.record("\(both)")
            return
        }
        #expect(login.text == "pw" && code.text == url)
        #expect(login.attributes.accessGroup == "login")
        var expected = login.attributes
        expected.accessGroup = "code"
        #expect(code.attributes == expected && code.itemClass == .internetPassword)
        let alone = try self.login("codes/mail", "\(url)\n")
        #expect(alone.text == url && alone.attributes.accessGroup == "code")
        #expect(alone.attributes.service == "codes/mail")
        #expect(contents("codes/mail", "\(url)\n").count == 1)
        #expect(contents("codes/mail", "pw\n\(url)\nmore\n").count == 3)
    }

    @Test(
        arguments: [
            "pw\nlogin: ada\notpauth://totp/x?secret=ABC\n", "pw\n\nsecret question: blue\n",
            "pw\nlogin: ada\nlogin: bob\n", "pw\nurl: https://ada:pw@example.com/\n",
            "pw\nurl: https://example.com/?token=1\n", "pw\nurl: nothing of the kind\n",
            "pw\nlogin:\n", "pw\nmore",
        ])
    func whatSaysMoreGivesThePasswordAndIsKeptWhole(_ text: String) throws {
        let contents = contents("web/example.com/ada", text)
        guard contents.count == 2, case .item(let login) = contents[0],
            case .item(let whole) = contents[1]
        else {
            Issue.record("\(contents)")
            return
        }
        #expect(login.itemClass == .internetPassword)
        #expect(login.attributes.server == "example.com" && login.attributes.account == "ada")
        #expect(login.text == "pw")
        #expect(whole.itemClass == .genericPassword)
        let expected = attributes {
            $0.accessGroup = "login"
            $0.label = "web/example.com/ada (all lines)"
            $0.service = "web/example.com/ada (all lines)"
        }
        #expect(whole.attributes == expected)
        #expect(whole.text == text)
    }

    @Test func whatHasNoFirstLineIsKeptWhole() throws {
        let login = try login("web/example.com/ada", "\nkey: value\n")
        #expect(login.itemClass == .genericPassword)
        #expect(login.attributes.service == "web/example.com/ada")
        #expect(login.text == "\nkey: value\n")
        #expect(contents("web/example.com/ada", "\nkey: value\n").count == 1)
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
            let logins = PassEntry(name: "x").contents(of: Secret(copying: (password + rest).span))
                .map { Entry.Content($0) }.compactMap {
                    if case .item(let login) = $0 { login } else { nil }
                }
            // The password, and the whole text if something in it is no attribute.
            #expect(logins.first?.secret == password, "\(password) \(rest)")
            #expect(
                logins.count == 1 || logins.last?.secret == password + rest,
                "\(password) \(rest)")
            let saysNothing = rest.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
            #expect(saysNothing == (logins.count == 1) || logins.first?.attributes.account != nil)
        }
    }
}
