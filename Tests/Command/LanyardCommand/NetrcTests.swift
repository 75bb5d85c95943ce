import KeychainServices
import Testing

@testable import LanyardCommand

@Suite("netrc") struct NetrcTests {
    private func text(_ logins: [(String, String?, String)]) throws -> String {
        var netrc = Netrc()
        for (server, account, password) in logins {
            var attributes = ItemAttributes()
            attributes.server = ByteString(server)
            attributes.account = account.map { ByteString($0) }
            try netrc.add(attributes, Secret(password))
        }
        return netrc.finish().withBytes { ByteString(copying: $0).description }
    }

    @Test func plainWords() throws {
        #expect(
            try text([("example.com", "ada", "x'y$z"), ("[::1]", nil, "ä")])
                == "machine example.com\nlogin ada\npassword x'y$z\nmachine ::1\npassword ä\n")
    }

    @Test func wordsInQuotationMarks() throws {
        #expect(
            try text([("h", "a b", "\"\\#\t")])
                == "machine h\nlogin \"a b\"\npassword \"\\\"\\\\#\t\"\n")
        #expect(try text([("h", "a", "")]) == "machine h\nlogin a\npassword \"\"\n")
    }

    @Test func theFirstLoginOfAnAccountCounts() throws {
        #expect(
            try text([("h", "a", "1"), ("h", "a", "2"), ("h", "b", "3")])
                == "machine h\nlogin a\npassword 1\nmachine h\nlogin b\npassword 3\n")
    }

    @Test(arguments: [("a\nb", "p"), ("a", "p\n"), ("a", "p\r"), ("a", "p\u{0}")])
    func whatHasNoForm(account: String, password: String) {
        #expect(throws: KeychainError(.param)) { try text([("h", account, password)]) }
    }
}
