import LanyardTransfer
import KeychainServices
import TestSupport
import Testing
import ToolCatalog

/// That an import leaves no copy of a file's secrets in memory.
@Suite struct WipedFileTests {
    struct Sample: CustomTestStringConvertible {
        let name: String
        let format: any ImportFormat
        let text: String

        init(_ name: String, _ format: any ImportFormat, _ text: String) {
            self.name = name
            self.format = format
            self.text = text
        }

        /// A file of a profile's program.
        init(profile name: String, _ text: String) {
            let profile = ToolProfile(program: name)!
            self.init(name, ProfileFile(profile, profile.plainText[0]), text)
        }

        var testDescription: String { name }
    }

    static let samples = [
        Sample(
            "docker", DockerConfigFile(),
            #"{"auths": {"a.example": {"username": "ada", "password": "SECRET"}}}"#),
        // The first digits are `ada:xx`.
        Sample(
            "docker's auth", DockerConfigFile(),
            #"{"auths": {"a.example": {"auth": "YWRhOnh4SECRET"}}}"#),
        Sample("netrc", NetrcFile(), "machine a.example login ada password SECRET\n"),
        Sample("git", GitCredentialsFile(), "https://ada:SECRET@a.example\n"),
        Sample(
            "aws", AWSCredentialsFile(),
            "[a]\naws_access_key_id = i\naws_secret_access_key = SECRET\naws_session_token = SECRET\n"
        ),
        Sample("npm", NpmrcFile(), "//a.example/:_authToken=SECRET\n"),
        Sample("cargo", CargoCredentialsFile(), "[registry]\ntoken = \"SECRET\"\n"),
        Sample("gradle", GradlePropertiesFile(), "aPassword=SECRET\n"),
        Sample("pypirc", PypircFile(), "[pypi]\nusername = u\npassword = SECRET\n"),
        Sample(
            "terraform", TerraformCredentialsFile(),
            #"{"credentials": {"a.example": {"token": "SECRET"}}}"#),
        Sample(
            "uv", UVCredentialsFile(),
            """
            [[credential]]
            service = "https://a.example/"
            username = "u"
            password = "SECRET"

            """),
        Sample("vault", VaultTokenFile(address: "https://vault.example"), "SECRET\n"),
        Sample(
            "nuget", NuGetConfigFile(),
            """
            <configuration><packageSources><add key="a" value="https://a.example/"/></packageSources>
            <packageSourceCredentials><a><add key="Username" value="u"/>
            <add key="ClearTextPassword" value="SECRET"/></a></packageSourceCredentials></configuration>
            """),
        Sample(
            "bitwarden", BitwardenFile(),
            """
            {"encrypted": false, "items": [{"type": 1, "name": "a",
             "fields": [{"name": "b", "value": "SECRET", "type": 1}],
             "login": {"username": "u", "password": "\\"SECRET", "totp": "SECRET",
             "uris": [{"uri": "https://a.example"}]}}]}
            """),
        Sample(
            "csv", CSVFile(),
            "url,username,password\nhttps://a.example,ada,\"\"\"SECRET\"\n"),
        Sample(
            "keepass", KeePassFile(),
            """
            <KeePassFile><Root><Group><Name>g</Name><Entry>
            <String><Key>URL</Key><Value>https://a.example</Value></String>
            <String><Key>UserName</Key><Value>ada</Value></String>
            <String><Key>Password</Key><Value>&amp;SECRET</Value></String>
            <String><Key>other</Key><Value ProtectInMemory="True">SECRET</Value></String>
            </Entry></Group></Root></KeePassFile>
            """),
        Sample(
            "keychain dump", KeychainDumpFile(),
            """
            keychain: "/Users/ada/Library/Keychains/login.keychain-db"
            version: 512
            class: "genp"
            attributes:
                "acct"<blob>="ada"
                "svce"<blob>="a"
            data:
            "SECRET"

            """),
        Sample(
            "1password", OnePasswordFile(),
            """
            {"accounts": [{"attrs": {"name": "Ada"}, "vaults": [{"attrs": {"name": "v"}, "items": [
             {"uuid": "1", "state": "active", "categoryUuid": "001", "overview": {"title": "a",
              "url": "https://a.example"}, "details": {"loginFields": [
              {"value": "ada", "designation": "username", "fieldType": "T"},
              {"value": "SECRET", "designation": "password", "fieldType": "P"}],
              "sections": [{"title": "s", "name": "s", "fields": [
              {"title": "PIN", "id": "x", "value": {"concealed": "SECRET"}}]}]}}]}]}]}
            """),
        Sample(profile: "gh", "github.com:\n    user: ada\n    oauth_token: SECRET\n"),
        Sample(profile: "hcloud", "[[contexts]]\nname = \"a\"\ntoken = \"SECRET\"\n"),
        Sample(profile: "databricks", "[DEFAULT]\nhost = https://d.example\ntoken = SECRET\n"),
        Sample(profile: "psql", "db.example:5432:*:ada:SECRET\n"),
        Sample(profile: "hf", "SECRET\n"),
        Sample(profile: "vapor", #"{"token": "a\\/bSECRET"}"#),
    ]

    private func items(_ sample: Sample, _ word: OwnMemory.Pattern) throws -> [NewItem] {
        var text = SecretBuilder()
        word.forEachByte(of: sample.text) { text.append($0) }
        var items: [NewItem] = []
        try sample.format.read(text.finish()) { record throws(KeychainError) in
            if case .item(let item) = record.content {
                items.append(item)
            }
        }
        return items
    }

    @Test(arguments: samples)
    func nothingIsLeft(sample: Sample) throws {
        let word = OwnMemory.Pattern.randomWord()
        let secret = sample.name == "docker's auth" ? decoded(word) : word
        do {
            let items = try items(sample, word)
            // The search finds what is there.
            #expect(OwnMemory.count(secret) > 0)
            #expect(!items.isEmpty)
        }
        #expect(OwnMemory.count(word) == 0)
        #expect(OwnMemory.count(secret) == 0)
    }

    @Test func passEntry() throws {
        let word = OwnMemory.Pattern.randomWord()
        do {
            var text = SecretBuilder()
            word.forEachByte(of: "SECRET\nlogin: ada\nurl: https://a.example\npin: SECRET\n") {
                text.append($0)
            }
            #expect(!PassEntry(name: "a").contents(of: text.finish()).isEmpty)
        }
        #expect(OwnMemory.count(word) == 0)
    }

    /// The bytes of letters in Base64.
    private func decoded(_ word: OwnMemory.Pattern) -> OwnMemory.Pattern {
        var bytes = OwnMemory.Pattern()
        for group in stride(from: 0, to: word.count, by: 4) {
            var bits: UInt32 = 0
            for position in group..<group + 4 {
                bits = bits << 6 | UInt32(word[position] - UInt8(ascii: "a") + 26)
            }
            for shift in [UInt32(16), 8, 0] {
                bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
            }
        }
        return bytes
    }
}
