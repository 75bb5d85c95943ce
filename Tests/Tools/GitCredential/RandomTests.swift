import KeychainServices
import TestSupport
import Testing

@testable import GitCredential

@Suite("Random inputs")
struct RandomTests {
    @Test("any bytes are read or refused by line, and accepted values have no bad byte")
    func anyBytes() throws {
        var random = SeededRandom()
        let words = [
            "host=", "protocol=", "username", "password=", "=", "\n", "\n\n", "\r", "\0",
            "capability[]=", "state[]=lanyard:", "authtype", "credential=", "[]", "é", ":", "8",
            "password_expiry_utc=", "ephemeral=", "true",
        ]
        var taken = 0
        for _ in 0..<4_000 {
            var input: [UInt8] = []
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                if Int.random(in: 0..<10, using: &random) > 0 {
                    input += Array(words.randomElement(using: &random)!.utf8)
                } else {
                    input.append(UInt8.random(in: .min ... .max, using: &random))
                }
            }
            let head = input.headOfRequest
            let isGood =
                head.allSatisfy { line in
                    !line.contains(0) && !line.contains(0x0D)
                        && line.firstIndex(of: 0x3D).map { $0 > line.startIndex } ?? false
                }
                && ["protocol=", "host=", "path=", "username="].allSatisfy { key in
                    head.count { $0.starts(with: key.utf8) } < 2
                }
            do throws(KeychainError) {
                let request = try RequestView(parsing: input)
                taken += 1
                #expect(isGood, "\(input)")
                for text in [request.host, request.protocol, request.username] {
                    #expect(text?.bytes.span.hasLineBreakOrNUL != true, "\(input)")
                }
            } catch {
                #expect(!isGood, "\(input)")
                #expect(error.status == .param)
                #expect(error.reason.hasPrefix("line "))
            }
        }
        #expect(taken > 100)
    }

    @Test("a written request reads back the same, in any order of lines")
    func roundTrip() throws {
        var random = SeededRandom()
        for _ in 0..<1_000 {
            var fields: [String: [UInt8]] = [:]
            for key in [
                "protocol", "host", "path", "username", "password", "oauth_refresh_token",
                "authtype", "credential",
            ] where Bool.random(using: &random) {
                fields[key] = random.value()
            }
            var input: [UInt8] = []
            for (key, value) in fields.shuffled(using: &random) {
                input += Array(key.utf8) + [0x3D] + value + [0x0A]
            }
            let request = try RequestView(parsing: input)
            #expect(request.protocol?.bytes == fields["protocol"])
            #expect(request.host?.bytes == fields["host"])
            #expect(request.path?.bytes == fields["path"])
            #expect(request.username?.bytes == fields["username"])
            #expect(request.login.password?.bytes == fields["password"])
            #expect(
                request.login.refreshToken?.bytes == fields["oauth_refresh_token"])
            #expect(request.login.authtype?.bytes == fields["authtype"])
            #expect(request.login.credential?.bytes == fields["credential"])
        }
    }

    @Test("a login survives its text form")
    func loginRoundTrip() {
        var random = SeededRandom()
        for _ in 0..<1_000 {
            var login = LoginView(password: ByteString(random.value()))
            if Bool.random(using: &random) {
                login.refreshToken = ByteString(random.value())
            }
            if Bool.random(using: &random) {
                login.authtype = ByteString(random.value())
            }
            if Bool.random(using: &random) {
                login.expiry = Int64.random(in: 1...Int64.max, using: &random)
            }
            if Bool.random(using: &random) {
                login.credential = ByteString(random.value())
                if login.password == "" || Bool.random(using: &random) {
                    login.password = nil
                }
            }
            let text = login.login.text()
            let again = LoginView(Login(text: text))
            #expect(again == login)
        }
    }

    @Test("any bytes read as a login, and writing it is stable")
    func anyText() {
        var random = SeededRandom()
        let words = [
            "\n", "\n", "password_expiry_utc=", "oauth_refresh_token=", "authtype=",
            "credential=", "=", "1", "\r", "\0", "x",
        ]
        for _ in 0..<2_000 {
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                text += Array(words.randomElement(using: &random)!.utf8)
            }
            let login = LoginView(Login(text: Secret(copying: text.span)))
            let again = LoginView(Login(text: login.login.text()))
            #expect(again == login, "\(text)")
        }
    }

    @Test("different hosts are never the same server and port, and none loses a byte")
    func hosts() {
        var random = SeededRandom()
        let parts = ["a", "[", "]", ":", ":", "0", "1", "80", "65535", "65536", "::1", ".", "é"]
        for _ in 0..<4_000 {
            var host = ""
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                host += parts.randomElement(using: &random)!
            }
            let split = HostAndPort(ByteString(host))
            #expect(split.server.description + (split.port == 0 ? "" : ":\(split.port)") == host)
        }
    }

    @Test("stored logins are answered, whatever their bytes")
    func storeThenGet() throws {
        var random = SeededRandom()
        for _ in 0..<300 {
            let rig = GitRig()
            let host = [0x68] + random.value()
            let username = random.value()
            let password = random.value()
            let place = Array("protocol=https\nhost=".utf8) + host + [0x0A]
            let login =
                Array("username=".utf8) + username + Array("\npassword=".utf8) + password + [0x0A]
            let helper = GitCredentialHelper(
                keychain: rig.keychain, now: Timestamp(secondsSinceEpoch: 0),
                stateDigest: { _ in nil })
            try helper.store(
                GitCredentialRequest(parsing: Secret(copying: (place + login).span)))
            let answer = try helper.get(
                GitCredentialRequest(parsing: Secret(copying: place.span)))
            let bytes = answer.bytes
            #expect(bytes == login)
            try helper.erase(
                GitCredentialRequest(parsing: Secret(copying: (place + login).span)))
            #expect(try rig.items == [])
        }
    }
}

extension [UInt8] {
    /// The lines before the first blank one.
    fileprivate var headOfRequest: [ArraySlice<UInt8>] {
        [ArraySlice<UInt8>](
            split(separator: 0x0A, omittingEmptySubsequences: false).prefix { !$0.isEmpty })
    }
}

extension SeededRandom {
    /// Bytes without LF, CR and NUL, of any other value.
    fileprivate mutating func value(upTo length: Int = 40) -> [UInt8] {
        (0..<Int.random(in: 0...length, using: &self)).map { _ in
            var byte: UInt8
            repeat {
                byte = UInt8.random(in: .min ... .max, using: &self)
            } while [0x00, 0x0A, 0x0D].contains(byte)
            return byte
        }
    }
}
