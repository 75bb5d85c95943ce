import KeychainServices
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
}
