import KeychainServices
import Testing

@testable import GitCredential

@Suite("Reading requests")
struct RequestParsingTests {
    @Test("every field, as it is")
    func everyField() throws {
        let request = try parse(
            """
            capability[]=authtype
            capability[]=state
            protocol=https
            host=example.com:8443
            path=a/b=c.git
            username=me
            password= p=w 
            password_expiry_utc=9999999999
            oauth_refresh_token=xyzzy
            authtype=Bearer
            credential=abc==
            ephemeral=true
            state[]=lanyard:00
            wwwauth[]=basic realm="x"

            """)
        #expect(request.protocol == "https")
        #expect(request.host == "example.com:8443")
        #expect(request.path == "a/b=c.git")
        #expect(request.username == "me")
        #expect(request.login.password == " p=w ")
        #expect(request.login.expiry == 9_999_999_999)
        #expect(request.login.refreshToken == "xyzzy")
        #expect(request.login.authtype == "Bearer")
        #expect(request.login.credential == "abc==")
        #expect(request.isEphemeral)
        #expect(request.capabilities == [.authtype, .state])
        #expect(request.states == ["lanyard:00"])
    }

    @Test("nothing, a blank line, and what follows one", arguments: ["", "\n", "\nhost=h\n\0\r"])
    func blank(input: String) throws {
        let request = try parse(input)
        #expect(request.isBlank)
        #expect(request.login.password == nil)
    }

    @Test("the last line may lack its line feed")
    func noLineFeedAtEnd() throws {
        let request = try parse("protocol=https\nhost=h")
        #expect(request.host == "h")
    }

    @Test("nothing after a blank line is read")
    func afterBlankLine() throws {
        let request = try parse("host=h\n\nhost=other\nno sign\n=\n\r\0\n")
        #expect(request.host == "h")
    }

    @Test("an empty value is present")
    func emptyValues() throws {
        let request = try parse("protocol=\nhost=\npath=\nusername=\npassword=\n")
        #expect(request.protocol == "")
        #expect(request.host == "")
        #expect(request.path == "")
        #expect(request.username == "")
        #expect(request.login.password == "")
        #expect(!request.isBlank)
    }

    @Test("a plain key that does not identify a login takes its last value")
    func lastValueWins() throws {
        let request = try parse(
            """
            password=1
            password_expiry_utc=5
            ephemeral=1
            password=2
            password_expiry_utc=never
            ephemeral=0
            """)
        #expect(request.login.password == "2")
        #expect(request.login.expiry == nil)
        #expect(!request.isEphemeral)
    }

    @Test("a list appends, and an empty value clears it")
    func lists() throws {
        var request = try parse("state[]=lanyard:1\nstate[]=other:2\nstate[]=lanyard:3\n")
        #expect(request.states == ["lanyard:1", "lanyard:3"])
        request = try parse("state[]=lanyard:1\nstate[]=\nstate[]=lanyard:3\n")
        #expect(request.states == ["lanyard:3"])
        request = try parse("capability[]=authtype\ncapability[]=\ncapability[]=state\n")
        #expect(request.capabilities == .state)
        request = try parse("capability[]=frobnicate\ncapability=authtype\ncapability[]=STATE\n")
        #expect(request.capabilities == [])
    }

    @Test("unknown keys are ignored, also those that resemble known ones")
    func unknownKeys() throws {
        let request = try parse(
            "Host=a\nhost =b\n host=c\nhost[]=d\nhos=e\nhosts=f\nurl=https://h/p\nquit=1\n[]=x\n")
        #expect(request.isBlank)
    }

    @Test(
        "a bad line is refused by its number alone",
        arguments: [
            ("host", "line 1 of the request has no '='"),
            ("host=h\nhunter2\n", "line 2 of the request has no '='"),
            ("host=h\n \n", "line 2 of the request has no '='"),
            (
                "protocol=https\nhost=h\n=hunter2\n",
                "line 3 of the request has no key before its '='"
            ),
            ("=", "line 1 of the request has no key before its '='"),
            // CVE-2024-50338 and CVE-2024-52006: some clients take a CR for the end of a line.
            ("host=h\r\n", "line 1 of the request contains a carriage return"),
            ("host=h\n\r\npassword=hunter2", "line 2 of the request contains a carriage return"),
            (
                "protocol=https\nhost=good\rhost=evil\n",
                "line 2 of the request contains a carriage return"
            ),
            ("pass\rword=hunter2", "line 1 of the request contains a carriage return"),
            ("unknown=\rhunter2", "line 1 of the request contains a carriage return"),
            ("host=good\0.evil.com\n", "line 1 of the request contains a NUL"),
            ("ho\0st=good\n", "line 1 of the request contains a NUL"),
            ("\0", "line 1 of the request contains a NUL"),
            // CVE-2020-5260: an encoded line feed in a URL put further lines into the request.
            ("protocol=https\nhost=evil?\nhost\n", "line 3 of the request has no '='"),
            ("host=a\nprotocol=https\nhost=b\n", "line 3 of the request repeats the key 'host'"),
            ("host=a\nhost=a\n", "line 2 of the request repeats the key 'host'"),
            ("host=\nhost=a\n", "line 2 of the request repeats the key 'host'"),
            ("protocol=http\nprotocol=https\n", "line 2 of the request repeats the key 'protocol'"),
            ("path=a\nhost=h\npath=\n", "line 3 of the request repeats the key 'path'"),
            ("username=a\nusername=b\n", "line 2 of the request repeats the key 'username'"),
        ])
    func refused(input: String, reason: String) {
        do throws(KeychainError) {
            _ = try GitCredentialRequest(parsing: Secret(input))
            Issue.record("it was taken")
        } catch {
            #expect(error.status == .param)
            #expect(error.reason == reason)
            #expect(error.hint == nil)
        }
    }

    @Test(
        "expiry: seconds, or none",
        arguments: [
            ("1", 1), ("9999999999", 9_999_999_999), ("0042", 42),
            ("9223372036854775807", Int64.max), ("9223372036854775808", nil),
            ("92233720368547758070", nil), ("99999999999999999999999", nil),
            ("0", nil), ("000", nil), ("", nil), ("-1", nil), ("+1", nil), (" 1", nil),
            ("1 ", nil), ("1x", nil), ("0x10", nil), ("1.5", nil), ("١", nil), (":", nil),
            ("/", nil),
        ] as [(String, Int64?)])
    func expiry(value: String, seconds: Int64?) throws {
        let request = try parse("password_expiry_utc=\(value)\n")
        #expect(request.login.expiry == seconds)
    }

    @Test(
        "git's words for true",
        arguments: [
            ("1", true), ("true", true), ("TRUE", true), ("True", true), ("yes", true),
            ("yEs", true), ("on", true), ("ON", true),
            ("0", false), ("", false), ("false", false), ("no", false), ("off", false),
            ("11", false), ("truex", false), ("tru", false), ("o\u{4E}\u{301}", false),
            ("\u{11}", false), ("\u{4F}\u{2E}", false),
        ])
    func booleans(value: String, isTrue: Bool) throws {
        let request = try parse("ephemeral=\(value)\n")
        #expect(request.isEphemeral == isTrue)
    }

    @Test("any bytes, any length")
    func bytes() throws {
        let value = (0...255).filter { ![0x00, 0x0A, 0x0D].contains($0) }.map { UInt8($0) }
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        let input =
            Array("path=".utf8) + value + Array("\npassword=".utf8) + value + long
            + Array("\n".utf8)
        let request = try RequestView(parsing: input)
        #expect(request.path == ByteString(value))
        #expect(request.login.password == ByteString(value + long))
    }

    @Test("other helpers' states, which may be passwords, never leave a request")
    func foreignStates() throws {
        let request = try parse("state[]=osxkeychain:pass\nstate[]=lanyar\nstate[]=Lanyard:1\n")
        #expect(request.states == [])
    }
}
