import KeychainServices
import Testing

@testable import LanyardDiagnosis

@Suite("a remote's account that has no login")
struct GitAccountsCheckTests {
    private static func item(_ account: String, _ host: ByteString) -> ItemAttributes {
        var item = ItemAttributes()
        item.account = ByteString(account)
        item.server = host
        item.protocol = .https
        return item
    }

    private let items = [
        GitAccountsCheckTests.item("bob", "a.example"),
        GitAccountsCheckTests.item("ada@corp", "a.example"),
        GitAccountsCheckTests.item("eve", "b.example"),
        GitAccountsCheckTests.item("", "c.example"),
    ]

    private func finding(_ url: String, _ variable: String = "url") -> Finding? {
        GitAccountsCheck.unknownAccount(
            GitConfiguration.Remote(name: "o", url: url, hasPassword: false), variable, items)
    }

    @Test("is named with the accounts that have one")
    func unknown() throws {
        let found = try #require(finding("https://eve@a.example/x.git"))
        #expect(found.code == .gitUnknownAccount)
        #expect(
            found.what.full
                == "the remote 'o' names the account 'eve' of 'https://a.example', which has only 'ada@corp', 'bob'"
        )
        guard case .advice(let advice) = finding("https://eve@a.example/x.git", "pushurl")?.remedy
        else {
            Issue.record("it has no advice")
            return
        }
        #expect(
            advice.full
                == "log in as 'eve', or name another account: git remote set-url --push 'o' https://ACCOUNT@a.example/x.git"
        )
    }

    @Test(
        "is none if it has one, if a login is for any account, or if the host has no login",
        arguments: [
            "https://bob@a.example/x", "https://ada%40corp@a.example/x", "https://a.example/x",
            "https://eve@c.example/x", "https://eve@d.example/x", "ssh://eve@a.example/x",
        ])
    func known(url: String) {
        #expect(finding(url) == nil)
    }
}
