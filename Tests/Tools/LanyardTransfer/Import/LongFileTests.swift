import LanyardTransfer
import KeychainServices
import Testing
import ToolCatalog

/// Files of half a mebibyte that are made to take long. Where the work grew with the square of the size, it
/// would be hours.
@Suite struct LongFileTests {
    private static let size = 1 << 19

    private func long(_ start: String, _ piece: String, _ end: String = "") -> [UInt8] {
        let count = LongFileTests.size / piece.utf8.count
        return Array((start + String(repeating: piece, count: count) + end).utf8)
    }

    private func tries(_ format: some ImportFormat, _ bytes: [UInt8]) -> Int {
        do throws(KeychainError) {
            return try read(format, bytes).count
        } catch {
            #expect(error.status == .decode)
            return 0
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func theWorkGrowsWithTheFile() {
        #expect(tries(GitCredentialsFile(), long("https://a:", "%41", "@b")) == 1)
        #expect(tries(GitCredentialsFile(), long("", "https://")) == 1)
        #expect(tries(GitCredentialsFile(), long("", "@\n")) > 100_000)
        #expect(tries(NetrcFile(), long("", "machine a login b password c ")) > 10_000)
        #expect(tries(NetrcFile(), long("", "macdef a\n")) == 1)
        #expect(tries(NetrcFile(), long("", "macdef a\n\n")) > 10_000)
        #expect(tries(NetrcFile(), long("machine ", "\"a\" password ")) == 1)
        #expect(tries(NetrcFile(), long("machine a ", " \t", "login b")) == 1)
        #expect(tries(CSVFile(), long("url,password\n", ",")) == 1)
        #expect(tries(CSVFile(), long("", "password,")) == 0)
        #expect(tries(CSVFile(), long("name,password\n", "a,\"\"\"\"\n")) > 10_000)
        #expect(tries(CSVFile(), long("login_uri,password\n\"", "https://a,", "\",b")) == 2)
        #expect(tries(DockerConfigFile(), long("{\"auths\":{", "\"\\u0000\":{},", "}}")) == 0)
        #expect(
            tries(
                BitwardenFile(),
                long("{\"items\":[", "{\"type\":1,\"name\":\"a\"},", "{\"type\":7}]}")) > 10_000)
        #expect(tries(KeychainDumpFile(), long("", "keychain:\n")) > 10_000)
        #expect(tries(KeychainDumpFile(), long("keychain:\n", "\"acct\"<blob>=\"\\101\"\n")) == 1)
        #expect(
            tries(KeychainDumpFile(), long("keychain:\nclass: \"genp\"\ndata:\n\"", "\\101", "\""))
                == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func manySections() {
        let keys = "[a]\naws_access_key_id=b\naws_secret_access_key=c\n"
        #expect(tries(AWSCredentialsFile(), long("", keys)) > 5_000)
        let password = "[a]\nrepository=https://a.example\npassword=b\n"
        #expect(tries(PypircFile(), long("", password)) > 5_000)
        let login = "[[credential]]\nservice=\"https://a.example\"\npassword=\"b\"\n"
        #expect(tries(UVCredentialsFile(), long("", login)) > 5_000)
    }

    @Test(.timeLimit(.minutes(5)))
    func manyColonsAndBlanks() throws {
        let gh = try #require(ToolProfile(program: "gh"))
        let file = try #require(gh.plainText.first)
        #expect(tries(ProfileFile(gh, file), long("", ":") + long("", " ")) == 0)
    }

    /// As many sources as in a file that took minutes.
    @Test(.timeLimit(.minutes(5)))
    func manySourcesOfNuGet() {
        var sources = ""
        var logins = ""
        for number in 0..<20_000 {
            sources += "<add key=\"a\(number)\" value=\"https://a.example/\(number)\"/>"
            logins += "<a\(number)><add key=\"Username\" value=\"b\"/>"
            logins += "<add key=\"ClearTextPassword\" value=\"c\"/></a\(number)>"
        }
        let text =
            "<configuration><packageSources>\(sources)</packageSources>"
            + "<packageSourceCredentials>\(logins)</packageSourceCredentials></configuration>"
        #expect(tries(NuGetConfigFile(), Array(text.utf8)) == 20_000)
    }

    /// As many accounts as in files that took minutes.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            ("newrelic", "{", "\"a#\": {\"apiKey\": \"b#\"},", "}", 20_000),
            (
                "maven", "<settings><servers>",
                "<server><id>a#</id><username>b</username><password>c#</password></server>",
                "</servers></settings>", 40_000
            ),
        ])
    func manyAccounts(
        _ name: String, _ start: String, _ piece: String, _ end: String, _ count: Int
    ) throws {
        let profile = try #require(ToolProfile(program: name))
        let format = ProfileFile(profile, try #require(profile.plainText.first))
        let parts = piece.split(separator: "#")
        let text = start + (0..<20_000).map { parts.joined(separator: "\($0)") }.joined() + end
        #expect(tries(format, Array(text.utf8)) == count)
    }
}
