import KeychainServices
import TestSupport
import Testing

@testable import ToolSetup

@Suite("the lines of .git-credentials that are logins")
struct PlainTextLoginsTests {
    @Test(
        arguments: [
            ("https://ada:pw@a.example", true), ("https://ada:p%40w@a.example:8443/x y", true),
            ("git+ssh://:pw@a.example", true), ("# https://ada:pw@a.example", false),
            ("# a comment", false), ("not a login", false), ("https://a.example/x:y@z", false),
            ("https://ada@a.example", false), ("https://a.example", false), ("://ada:pw@a", false),
            ("", false), ("1ttp://a:b@c", false),
        ])
    func line(text: String, isLogin: Bool) {
        #expect(PlainTextLogins.isLogin(FileBytes(text)) == isLogin)
    }

    @Test(
        "the passwords of .netrc, and those of machines among them",
        arguments: [
            ("", 0, 0), ("machine a.example login ada\n", 0, 0),
            ("machine a.example login ada password pw", 1, 1),
            ("machine a.example\r\n\tlogin ada\r\n\tpassword pw\r\n", 1, 1),
            ("machine a.example login ada password\n  pw\n", 1, 1),
            ("machine a.example\n# password no\nlogin ada\n# x\npassword pw\n", 1, 1),
            ("machine a.example password pw\ndefault login bob password pw2\n", 2, 1),
            ("default login bob password pw\nmachine a.example password pw2\n", 2, 1),
            (
                "machine a.example password pw\nmacdef init\npassword no\n\ndefault password b\n",
                2, 1
            ),
            ("machine a.example account password\n", 0, 0),
        ])
    func netrc(text: String, all: Int, ofMachines: Int) throws {
        let folder = try ScratchFolder()
        _ = try folder.write(".netrc", text.utf8)
        let passwords = PlainTextLogins.netrcPasswords("\(folder.path)/.netrc")
        #expect(passwords.all == all && passwords.ofMachines == ofMachines, "\(passwords)")
    }
}
