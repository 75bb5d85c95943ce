import TestSupport
import LanyardTransfer
import KeychainServices
import Testing

@Suite struct NetrcFileTests {
    private func item(_ server: ByteString, _ account: ByteString?) -> ItemAttributes {
        attributes {
            $0.accessGroup = "git"
            $0.server = server
            $0.account = account
            $0.protocol = .https
            $0.label = ByteString("Git: https://\(server)/")
        }
    }

    @Test func aMachineIsTheItemOfGitsHelper() throws {
        let entries = try read(
            NetrcFile(),
            """
            # machine no.example.com login no password no
            machine example.com login ada password s3cret
            MACHINE Host.Example.org # the other
              Login "b \\"b\\\\"
              password #1"2  # a remark
            machine three.example.com
            \tpassword "tab\\tend" port 443
            machine four.example.com login "" password p machine five.example.com login e password f
            """)
        #expect(
            entries.map(\.place) == ["line 2", "line 3", "line 6", "line 6", "line 8", "line 8"])
        // curl ignores the port.
        #expect(entries.map(\.loss) == [nil, nil, nil, .words, nil, nil])
        #expect(
            entries.compactMap(\.login?.attributes) == [
                item("example.com", "ada"), item("host.example.org", #"b "b\"#),
                item("three.example.com", nil), item("four.example.com", ""),
                item("five.example.com", "e"),
            ])
        #expect(entries.compactMap(\.login?.text) == ["s3cret", #"#1"2"#, "tab\tend", "p", "f"])
    }

    @Test func theFirstOfALoginIsTheOneThatCurlUses() throws {
        let entries = try read(
            NetrcFile(),
            """
            machine h.example login a password 1
            machine H.example login a password 2
            machine h.example login b password 3
            """)
        #expect(entries.map { $0.login?.text } == ["1", nil, "3"])
        #expect(entries[1].content == .unused)
    }

    @Test func whatIsNoLoginIsSkipped() throws {
        let entries = try read(
            NetrcFile(),
            """
            machine a.example login a
            machine b.example login a account x password b
            machine c.example login a password b login c password d
            machine d.example login a password "b\\n"
            machine "" login a password b
            machine :8080 login a password b
            macdef name
            machine in.macro login a password b

            machine nothing.example
            default login anonymous password me
            """)
        #expect(
            entries.map(\.reason) == [
                "it has no password", "it has an account, which only ftp uses",
                "it has more than one login",
                "it contains a line break, which git refuses", "it has no host",
                "it has no host",
                "it is a macro", "'default' entries name no host",
            ])
    }

    @Test(
        arguments: [
            ("https://a:b@c", "line 1"), ("\n# x\nlogin a password b\n", "line 3"),
            ("machine a login \"b\nmachine c", "line 1"), ("\nmachine", "line 2"),
            ("machine a login b password \"c\\", "line 1"),
            ("macdef m\nx\n\npassword b", "line 4"),
        ])
    func whatIsNoSuchFileIsRefusedWhole(_ text: String, _ line: String) {
        let error = refusal(NetrcFile(), text)
        #expect(error?.status == .decode)
        #expect(error?.reason.hasPrefix(line + " ") == true)
    }

    @Test(
        arguments: [
            ("machine a login b password c\n", ""),
            ("# x\n  machine a\n login b # y\n password c # z\n# w\n", "# x\n# w\n"),
            ("machine a login b password c machine d login e password f\n", "\n"),
            ("machine a login b password c machine d\n# x", "machine d\n# x"),
            (
                "machine a login b password c\nmacdef init\ncd x\n\nmachine d login e password f",
                "machine a \n"
            ),
            (
                "machine \"a\"login \"b\"password \"c\"macdef m\nx\n\nmachine d",
                "machine \"a\"\nmachine d"
            ),
            ("default login a password b macdef m\nx\n", "default  \n"),
            ("\u{FEFF}machine a login b password c\n", ""),
            (
                "machine a macdef m\nx\n\n# machine b login c password d",
                "machine a \n# machine b login c password d"
            ),
        ])
    func whatIsCutLeavesTheOthersAsTheyWere(_ file: String, _ left: String) throws {
        let entries = try read(NetrcFile(), file)
        let bytes = cut(entries, from: Array(file.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == left)
        #expect(try read(NetrcFile(), bytes).isEmpty)
    }

    @Test func aMachineKeepsItsMacro() throws {
        let file = "machine a login b password c\nmacdef init\ncd x\n\n"
        let logins = try read(NetrcFile(), file).filter { $0.login != nil }
        let left = cut(logins, from: Array(file.utf8))
        #expect(String(decoding: left, as: UTF8.self) == "machine a \nmacdef init\ncd x\n\n")
    }

    /// A value as curl reads it.
    private static func quoted(_ value: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        let isPlain =
            !value.isEmpty && value[0] != UInt8(ascii: "\"")
            && value.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard !isPlain || random.number(below: 4) == 0 else {
            return value
        }
        return Array("\"".utf8)
            + value.flatMap { byte -> [UInt8] in
                switch byte {
                case 0x09: Array("\\t".utf8)
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
                default: [byte]
                }
            } + Array("\"".utf8)
    }

    static func file(_ logins: [RandomLogin], _ random: inout SeededRandom) -> [UInt8] {
        var file: [UInt8] = []
        func space() -> [UInt8] {
            Array(random.element(of: [" ", "\t", "\n", "\n  ", " # x\n\t", "\r\n"]).utf8)
        }
        for login in logins {
            file += Array("machine ".utf8) + Array(login.host.utf8)
            file += space() + Array("login ".utf8) + quoted(login.user, &random)
            file += space() + Array("password ".utf8) + quoted(login.password, &random)
            file += space()
        }
        return file
    }

    @Test func randomLoginsAreReadAsTheyWereWritten() throws {
        var random = SeededRandom()
        for _ in 0..<60 {
            let logins = random.logins(random.number(below: 8)) { $0.line() }
            let bytes = NetrcFileTests.file(logins, &random)
            let entries = try read(NetrcFile(), bytes)
            #expect(entries.map(\.login?.attributes.server?.description) == logins.map(\.host))
            #expect(entries.map(\.login?.attributes.account?.bytes) == logins.map(\.user))
            #expect(entries.map(\.login?.secret) == logins.map(\.password))
            #expect(try read(NetrcFile(), cut(entries, from: bytes)).isEmpty)
            // One that goes leaves the others as they were.
            if let one = entries.randomElement(using: &random) {
                let left = try read(NetrcFile(), cut([one], from: bytes))
                #expect(left.map(\.content) == entries.filter { $0 != one }.map(\.content))
            }
        }
    }

    /// curl itself logs in with the file, on a server that says with what.
    @Test(
        .enabled(
            if: Program("curl") != nil && Program("python3") != nil, "curl or python3 is not there")
    )
    func curlReadsTheSameLogins() throws {
        let python = try #require(Program("python3"))
        let home = try ScratchFolder()
        var random = SeededRandom()
        let logins = random.logins(12) { random in
            // What this curl has no quotation marks for, and what HTTP can't tell: a colon.
            random.line().filter { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        }
        let file = try home.write("netrc", NetrcFileTests.file(logins, &random))
        let entries = try read(NetrcFile(), home.bytes("netrc"))
        let script = """
            import base64, http.server, subprocess, sys, threading
            class Answer(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    self.send_response(200)
                    self.end_headers()
                    said = self.headers.get("Authorization", "Basic ")[6:]
                    self.wfile.write(base64.b64decode(said) + b"\\n")
                def log_message(self, *words):
                    pass
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            for host in sys.argv[2:]:
                sys.stdout.buffer.write(subprocess.run(["curl", "-sq", "--max-time", "20",
                    "--noproxy", "*", "--netrc-file", sys.argv[1],
                    "--connect-to", "::127.0.0.1:%d" % server.server_port,
                    "http://%s/" % host], stdout=subprocess.PIPE).stdout)
            """
        let said = try python.run(
            ["-c", script, file] + entries.map { "\($0.login?.attributes.server ?? "")" },
            home: home
        ).output
        var expected: [UInt8] = []
        for login in entries.compactMap(\.login) {
            expected += (login.attributes.account?.bytes ?? []) + Array(":".utf8)
            expected += login.secret + [0x0A]
        }
        #expect(entries.count == logins.count)
        #expect(String(decoding: said, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
    }
}
