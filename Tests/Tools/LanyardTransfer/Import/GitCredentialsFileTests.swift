import TestSupport
import LanyardTransfer
import KeychainServices
import Testing

@Suite struct GitCredentialsFileTests {
    private func item(
        _ server: ByteString, _ account: ByteString, _ label: ByteString, port: UInt16? = nil,
        path: ByteString? = nil, protocol: ProtocolType = .https
    ) -> ItemAttributes {
        attributes {
            $0.accessGroup = "git"
            $0.server = server
            $0.account = account
            $0.label = label
            $0.port = port
            $0.path = path
            $0.protocol = `protocol`
        }
    }

    @Test func aLineIsTheItemOfGitsHelper() throws {
        let file = """
            https://ada:s3cret@example.com

            http://b%40b:p%3Aw%20%2F@example.org:8080/team/repo.git/
              \t
            ssh://c:d@[::1]%3a22

            """
        let entries = try read(GitCredentialsFile(), file)
        #expect(entries.map(\.place) == ["line 1", "line 3", "line 5"])
        #expect(
            entries.map(\.login?.attributes) == [
                item("example.com", "ada", "Git: https://example.com/"),
                item(
                    "example.org", "b@b", "Git: http://example.org:8080/team/repo.git", port: 8080,
                    path: "team/repo.git", protocol: .http),
                // What git sends, as it does not decode the text before a colon.
                item("[::1]", "c", "Git: ssh://[::1]:22/", port: 22, protocol: .ssh),
            ])
        #expect(entries.map(\.login?.text) == ["s3cret", "p:w /", "d"])
        #expect(entries.allSatisfy { $0.login?.itemClass == .internetPassword })
    }

    @Test func theFirstOfAPlaceIsTheOneThatGitUses() throws {
        let entries = try read(
            GitCredentialsFile(),
            "https://a:1@h\nhttps://a:2@h\nhttps://b:3@h\nhttps://a:4@h/x\nhttps://a:1@h")
        #expect(entries.map { $0.login?.text } == ["1", nil, "3", "4", nil])
        #expect(entries[1].content == .unused)
        #expect(entries[4].content == .shadowed)
    }

    @Test(
        arguments: [
            "example.com", "://a:b@c", "https://a@example.com", "https://example.com",
            "https://example.com/a:b@c", "https://a:b", "https://a@b:c",
            "# https://a:b@c", "https://a:b@", "https://a:b%0a@c",
            "https://a%0d:b@c", "https://a:b\0@c",
        ])
    func whatGitDoesNotReadIsSkipped(_ line: String) throws {
        let entries = try read(GitCredentialsFile(), "https://a:b@first\n\(line)\n")
        #expect(entries.count == 2)
        let reason = try #require(entries.last?.reason)
        #expect(!reason.contains("a:b"))
    }

    @Test func linesOfWindowsAreLogins() throws {
        let file = "\u{FEFF}https://a:b@c\r\n\r\nhttps://d:e@f/g\r\n# x\r\nhttps://h:i@j/\r"
        let entries = try read(GitCredentialsFile(), file)
        #expect(entries.map(\.place) == ["line 1", "line 3", "line 5"])
        #expect(
            entries.map(\.login?.attributes) == [
                item("c", "a", "Git: https://c/"), item("f", "d", "Git: https://f/g", path: "g"),
                item("j", "h", "Git: https://j/"),
            ])
        #expect(try GitCredentialsFile().count(Secret(copying: Array(file.utf8).span)) == 3)
        #expect(cut(entries, from: Array(file.utf8)) == Array("\r\n# x\r\n".utf8))
    }

    /// git does not find the first of them: the other ones may be those that it uses.
    @Test func noLoginIsLostToAnUnusedOne() throws {
        let entries = try read(
            GitCredentialsFile(), "https://a:old@h\r\nhttps://a:new@h\nhttps://a:old@h\n")
        #expect(entries.map { $0.login?.text } == ["old", nil, nil])
        #expect(entries[1].reason == "another entry is for the same place and account")
        #expect(entries[2].content == .shadowed)
    }

    @Test func aCommentIsNoEntry() throws {
        let entries = try read(GitCredentialsFile(), "# mine\nhttps://a:b@c\n#\n")
        #expect(entries.map { $0.login?.text } == ["b"])
    }

    @Test func whatIsTooLongIsSkipped() throws {
        let long = String(repeating: "x", count: 70_000)
        let entries = try read(
            GitCredentialsFile(),
            "https://\(long):b@c\nhttps://a:\(String(repeating: "x", count: 2 << 20))y@c\n")
        #expect(
            entries.map(\.reason) == Array(repeating: "one of its values is too long", count: 2))
    }

    @Test func aLineIsCutWithItsEnd() throws {
        let file = "https://a:b@c\n\nx\nhttps://d:e@f\nhttps://g:h@i"
        let entries = try read(GitCredentialsFile(), file)
        #expect(
            cut(entries.filter { $0.login != nil }, from: Array(file.utf8))
                == Array("\nx\n".utf8))
    }

    /// git's own program writes the file, with odd bytes in user, password, host and path.
    @Test func whatGitHasWrittenIsReadAsItWas() throws {
        let git = try #require(Program("git"))
        let home = try ScratchFolder()
        var random = SeededRandom()
        let logins = random.logins(40) { $0.line() }
        for (index, login) in logins.enumerated() {
            var input = Array("protocol=https\nhost=\(login.host)".utf8)
            input += login.port.map { Array(":\($0)".utf8) } ?? []
            if index.isMultiple(of: 4) {
                input += Array("\npath=p/\(index).git".utf8)
            }
            input += Array("\nusername=".utf8) + login.user
            input += Array("\npassword=".utf8) + login.password + [0x0A, 0x0A]
            let result = try git.run(
                ["credential-store", "--file", "\(home.path)/file", "store"], home: home,
                input: input)
            #expect(result.status == 0)
        }
        let bytes = try home.bytes("file")
        let entries = try read(GitCredentialsFile(), bytes)
        // git adds at the top.
        let read = entries.reversed().map { entry in
            RandomLogin(
                host: entry.login?.attributes.server?.description ?? "",
                port: entry.login?.attributes.port,
                user: entry.login?.attributes.account?.bytes ?? [],
                password: entry.login?.secret ?? [])
        }
        #expect(read == logins)
        for (index, entry) in entries.reversed().enumerated() where index.isMultiple(of: 4) {
            #expect(entry.login?.attributes.path == ByteString("p/\(index).git"))
        }
        #expect(cut(entries, from: bytes).isEmpty)
    }

    /// Lines that git itself never writes: its program and the reader agree what is in them.
    @Test func oddLinesAreReadAsGitDoes() throws {
        let git = try #require(Program("git"))
        let home = try ScratchFolder()
        var random = SeededRandom()
        let pieces = [
            "u", "p", "%41", "%", "%4", "%zz", "%00", ":", ":", "@", "@", "/", "//", "?", "#", " ",
            "é", "+", "%2f", "%3a", "%40", "h.example", "https://", "\t",
        ]
        var found = 0
        for number in 0..<150 {
            let odd = (0..<random.number(below: 8)).map { _ in random.element(of: pieces) }.joined()
            // Some that are right but for what is odd in them, and some that are right.
            let start = number.isMultiple(of: 5) ? "u:" : ""
            let text = number.isMultiple(of: 50) ? "u:p" : start + odd
            let line = Array("https://\(text)@h.example\n".utf8)
            let file = try home.write("file", line)
            let answer = try git.run(
                ["credential-store", "--file", file, "get"], home: home,
                input: Array("protocol=https\nhost=h.example\n\n".utf8)
            ).output
            let login = try #require(read(GitCredentialsFile(), line).first).login
            let isForHost =
                login?.attributes.server == "h.example" && login?.attributes.port == nil
            var expected: [UInt8] = []
            if let login, isForHost {
                expected = Array("username=".utf8) + (login.attributes.account?.bytes ?? [])
                expected += Array("\npassword=".utf8) + login.secret + [0x0A]
                found += 1
            }
            #expect(answer == expected, "\(String(decoding: line, as: UTF8.self))")
        }
        #expect(found >= 3)
    }
}
