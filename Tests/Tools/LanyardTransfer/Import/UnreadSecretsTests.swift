import LanyardTransfer
import KeychainServices
import Testing
import ToolCatalog

/// What did an import not read? Of a tool's file, whatever goes away is in the keychain, and each secret that stays is
/// named by its line.
@Suite struct UnreadSecretsTests {
    /// A secret that stays in the file because of its form is a failure of the import, whatever the format.
    @Test(arguments: [
        ("git", "https://ssass@a.example"), ("git", "ada:ssass@a.example"),
        ("git", "https://ada:ssass@"), ("vault", "ssass\nssbss"),
        ("npm", "//a.example/:_password=ssass"), ("npm", "_authToken=ssass"),
        ("netrc", "machine a.example login a password ssass login b password ssbss"),
        ("netrc", "machine a.example login a password ssass account b"),
        ("docker", #"{"auths":{"a.example":{"auth":"ssass"}}}"#),
        ("docker", #"{"auths":{"a.example":{"registrytoken":"ssass"}}}"#),
        ("docker", #"{"auths":{"":{"auth":"YTpi"}}}"#),
        ("terraform", #"{"credentials":{"":{"token":"ssass"}}}"#),
        ("pypirc", "[a]\nusername = a\npassword = ssass"),
        ("gradle", "systemProp.http.proxyPassword ssass"),
        ("gradle", "sonar.login=squ_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"),
        ("uv", "[[credential]]\nservice = \"a b\"\nusername = \"a\"\npassword = \"ssass\""),
        (
            "nuget",
            "<configuration><packageSourceCredentials><a><add key='Username' value='a'/>"
                + "<add key='ClearTextPassword' value='ssass'/></a></packageSourceCredentials></configuration>"
        ),
        (
            "nuget",
            "<configuration><clientCertificates><fileCert packageSource='a' clearTextPassword='ssass'/>"
                + "</clientCertificates></configuration>"
        ),
        ("nordpass", "name,password\na,ssass,more"), ("nordpass", "name,url,password\n,,ssass"),
    ])
    func whatStaysIsAFailure(name: String, text: String) throws {
        var failures = 0
        try toolFormat(name).read(Secret(text)) { record in
            if case .failed = record.content {
                failures += 1
            } else {
                Issue.record("\(record)")
            }
        }
        #expect(failures > 0)
    }

    /// Files with texts such as `xxnamexx`, and secrets such as `ssnamess`.
    @Test(arguments: [
        (
            "npm",
            "//a.example/:_authToken=ssass\n//a.example/:_password=ssbss\n_auth = sscss\nx=xxdxx\n"
        ),
        ("npm", "//a.example/:_authToken=ssbss\n[section]\nmy_token = ssass\n"),
        (
            "netrc",
            "machine a.example login xxaxx password ssass\n"
                + "machine b.example login xxbxx password ssbss port xxcxx\n"
                + "machine https://c.example login xxdxx password sscss\n"
                + "machine d.example login xxexx password ssdss account xxfxx\n"
                + "default login xxgxx password ssess\n"
        ),
        (
            "git",
            "https://xxaxx:ssass@a.example\nhttps://xxbxx:ssbss@\nxxcxx:sscss@c.example\n"
        ),
        (
            "maven",
            "<settings xmlns:m='urn:x'><servers>\n<server><id>xxaxx</id><username>xxbxx</username>"
                + "<password>ssass</password></server>\n<m:server><m:id>xxcxx</m:id>\n"
                + "<m:password>ssbss</m:password></m:server>\n<server><id>xxdxx</id><configuration>\n"
                + "<property><name>PRIVATE-TOKEN</name><value>sscss</value></property></configuration>"
                + "</server></servers></settings>\n"
        ),
        (
            "terraform",
            "credentials \"a.example\" {\n  token = \"ssass\"\n}\n"
                + "credentials_helper \"b\" { args = [\"--secret=ssbss\"] }\n"
                + "credentials_helper \"c\" {\n  args = [\"--host\", \"[d\", \"--token\", \"sscss\"]\n}\n"
        ),
        (
            "psql",
            "a.example:5432:*:xxbxx:ssass\npostgres://xxcxx:ssbss@b.example/xxdxx\n# a comment\n"
        ),
        (
            "docker",
            """
            {"auths": {
             "a.example": {"auth": "YTpwdw==", "email": "a@b"},
             "b.example": {"auth": "YjpwdzI=", "registrytoken": "ssass"},
             "c.example": {"username": "xxbxx", "password": "ssbss", "invented": "xxcxx"}
            },
            "HttpHeaders": {"Authorization": "sscss"}}
            """
        ),
        (
            "cargo",
            "[registry]\ntoken = \"ssass\"\n[registries]\nmy = { token = \"ssbss\" }\n"
                + "[registries.b]\ntoken = \"sscss\"\n[invented]\ntoken = \"ssdss\"\n"
        ),
        (
            "pypirc",
            "[pypi]\nusername = xxaxx\npassword = ssass\n[other]\nusername = xxbxx\npassword = ssbss\n"
                + "token = sscss\n"
        ),
        (
            "aws",
            "[a]\naws_access_key_id = xxaxx\naws_secret_access_key = ssass\nregion = xxbxx\n"
                + "[b]\naws_access_key_id = xxcxx\naws_secret_access_key = ssbss\n  xxdxx\n"
                + "[c]\naws_secret_access_key = sscss\n"
                + "[d]\naws_access_key_id = xxexx\naws_secret_access_key = ssdss\n"
                + "aws_secret_access_key = ssess\n"
                + "[e]\naws_access_key_id = xxfxx\naws_secret_access_key = ssfss\n"
                + "aws_session_token = ssgss\naws_security_token = sshss\n"
        ),
        (
            "aws",
            "[a]\naws_access_key_id = xxaxx\naws_secret_access_key = ssass\n"
                + "[b]\ncredential_process = /opt/xxbxx --secret-key ssbss\n"
                + "[c]\ncredential_process = /opt/xxbxx --token=\"sscss\" --profile xxdxx\n"
                + "[d]\ncredential_process = sh -c 'API_TOKEN=ssdss xxbxx'\n"
                + "[e]\ncredential_process = xxbxx --token-file xxexx --token $XX --key-size 2048\n"
        ),
        (
            "uv",
            "[[credential]]\nservice = \"https://a.example\"\nusername = \"xxaxx\"\npassword = \"ssass\"\n"
                + "[[credential]]\nservice = \"https://b.example\"\nusername = \"xxbxx\"\n"
                + "password = \"ssbss\"\nnote = \"xxcxx\"\n"
                + "[credential]\nservice = \"https://c.example\"\npassword = \"sscss\"\n"
        ),
        (
            "gradle",
            "repoPassword=ssass\nsystemProp.b.password=ssbss\nname=xxaxx\nx.token=a\\\n ssc\n"
        ),
        (
            "terraform",
            "credentials \"a.example\" {\n  token = \"ssass\"\n}\ncredentials \"b.example\" {\n"
                + "  token = \"ssbss\"\n  note = \"xxaxx\"\n}\n"
                + "provider \"x\" {\n  token = \"sscss\"\n}\n"
        ),
        (
            "nuget",
            """
            <configuration><packageSources><add key="a" value="https://a.example/"/>
            <add key="b" value="https://b.example/"/></packageSources><packageSourceCredentials>
            <a>
            <add key="Username" value="xxaxx"/>
            <add key="ClearTextPassword" value="ssass"/>
            </a>
            <b>
            <add key="Username" value="xxbxx"/>
            <add key="ClearTextPassword" value="ssbss"/>
            <add key="ValidAuthenticationTypes" value="xxcxx"/>
            </b>
            </packageSourceCredentials>
            <apikeys><add key="token" value="sscss"/></apikeys></configuration>
            """
        ),
        (
            "npm",
            "//a.example/:_authToken=ssass\n//a.example/:_password=ssbss\n"
                + "https-proxy=http://xxaxx:sscss@proxy.example:3128\n"
                + "proxy = \"http://xxbxx:ssdss@proxy.example\"\nkey=\"-----BEGIN PRIVATE KEY-----ssess\"\n"
        ),
        (
            "docker",
            """
            {"auths": {
             "a.example": {"auth": "YTpwdw=="},
             "b.example": {"auth": "YjpwdzI=", "identitytoken": "ssass"},
             "c.example": {"auth": "YjpwdzI=", "username": "xxaxx", "password": "ssbss"},
             "d.example": {"auth": "YjpwdzI=", "email": "xxbxx"}
            },
            "HttpHeaders": {"User-Agent": "Docker-Client/19.03.12 (linux)",
             "X-Meta": "sscss"},
            "proxies": {"default": {
             "httpsProxy": "http://u:ssdss@proxy.example", "noProxy": "localhost"}}}
            """
        ),
        (
            "pypirc",
            "[distutils]\nindex-servers =\n    a\n    b\n[a]\nrepository = https://a.example/\n"
                + "username = xxaxx\npassword = ssass\n  ssbss\n"
                + "[b]\nrepository = https://b:sscss@b.example/\nusername = xxbxx\npassword = ssdss\n"
                + "[pypi]\nusername = xxcxx\npassword = ssess\n"
        ),
        (
            "aws",
            "[a]\naws_access_key_id = xxaxx\naws_secret_access_key = ssass\n  ssbss=sscss\n"
                + "[b]\naws_access_key_id = xxbxx\naws_secret_access_key = ssdss\n"
        ),
        (
            "uv",
            "[[credential]]\nservice = \"https://a.example\"\nscheme = \"bearer\"\ntoken = \"ssass\"\n"
                + "[[credential]]\nservice = \"https://b.example\"\nusername = \"xxbxx\"\n"
                + "scheme = \"basic\"\npassword = \"ssbss\"\n"
        ),
        (
            "gradle",
            "repoPassword=ssass\ngradle.publish.key ssbss\ngradle.publish.secret=sscss\n"
                + "signingInMemoryKey=ssdss\nrepoUrl=https://u:ssess@repo.example/\n"
        ),
        (
            "terraform",
            "credentials \"a.example\" {\n  token = \"ssass\"\n  other {\n    x = \"xxaxx\"\n  }\n}\n"
                + "credentials \"b.example\" {\n  token = \"ssbss\"\n}\n"
                + "provider_installation {\n  network_mirror {\n"
                + "    url = \"https://u:sscss@mirror.example/\"\n  }\n}\n"
        ),
        (
            "nuget",
            """
            <configuration><packageSources><add key="a" value="https://a.example/"/>
            <add key="b" value="https://u:ssdss@b.example/"/></packageSources><packageSourceCredentials>
            <a><add key="Username" value="xxaxx"/><add key="ClearTextPassword" value="ssass"/></a>
            </packageSourceCredentials><clientCertificates>
            <fileCert packageSource="a" path="./a.pfx" clearTextPassword="ssfss"/>
            <fileCert packageSource="b" path="./b.pfx" password="ssgss"></fileCert>
            </clientCertificates>
            <config><add key="http_proxy.password" value="ssess"/></config>
            <apikeys>
            <add key="https://www.nuget.org" value="ssbss"/></apikeys></configuration>
            """
        ),
        (
            "databricks",
            "[a]\nhost = https://a.example\ntoken = ssass\n  ssbss\n"
                + "[b]\nhost = https://b.example\ntoken = sscss\n"
        ),
        (
            "gem",
            "---\n:rubygems_api_key: ssass\nhttps://gems.example.com: ssbss\n:other_key: sscss\n"
                + "https://gems.example.com: ssdss\n"
        ),
        (
            "yarn",
            "npmAuthToken: ssass\nnpmAuthIdent: xxaxx:ssbss\nhttpsProxy: \"http://u:sscss@p.example\"\n"
                + "npmRegistries:\n  \"//a.example\":\n    npmAuthToken: ssdss\n"
                + "    npmAuthIdent: xxbxx:ssess\n"
        ),
        (
            "ngrok",
            "version: 3\nagent:\n  authtoken: ssass\n  api_key: ssbss\ntunnels:\n  a:\n    proto: http\n"
                + "    basic_auth:\n      - \"xxaxx:sscss\"\n  b:\n    basic_auth: [\"xxbxx:ssdss\"]\n"
        ),
        ("supabase", "ssass\nssbss\n"),
        (
            "mysql",
            "[client]\nuser = xxaxx\npassword = ssass\n[mysqldump]\nuser = xxbxx\npassword = ssbss\n"
                + "[mysql]\nloose-password = sscss\n"
        ),
        ("glab", "hosts:\n  gitlab.com:\n    token: ssass\n  b.example: {token: &x ssbss}\n"),
        (
            "hcloud",
            "[[contexts]]\nname = \"a\"\ntoken = \"ssass\"\n[x]\ny = { token = \"ssbss\" }\n"
        ),
        ("kaggle", "{\"username\": \"a\", \"key\": \"ssass\"}\n"),
    ])
    func whatGoesAwayIsInTheKeychain(name: String, text: String) throws {
        let bytes = Array(text.utf8)
        let entries = try read(try toolFormat(name), bytes)
        var imported = ""
        for login in entries.compactMap(\.login) {
            imported += login.text + " "
            imported += Attribute.table.map { "\(login.attributes[$0.attribute], default: "")" }
                .joined(separator: " ")
        }
        for problem in unreported(in: text, entries, imported) {
            Issue.record("\(problem)")
        }
        #expect(!imported.isEmpty || name == "kaggle")
        #expect(entries.contains { $0.reason != nil || $0.loss != nil })
        #expect(!"\(entries.map(\.reason))\(entries.map(\.loss))".contains(/xx[a-z]xx|ss[a-z]ss/))
    }

    /// Lines with two secrets for one place.
    @Test(
        arguments: [
            ("npm", "//a.example/:_authToken=one\n//a.example/:_authToken=two\n", [nil, "two"]),
            (
                "netrc",
                "machine a.example login ada password one\nmachine a.example login ada password two\n",
                ["one", nil]
            ),
            ("git", "https://ada:one@a.example\nhttps://ada:two@a.example\n", ["one", nil]),
            ("gradle", "aPassword=one\naPassword=two\n", [nil, "two"]),
        ] as [(String, String, [String?])])
    func theOneThatTheProgramTakes(name: String, text: String, secrets: [String?]) throws {
        let format = try toolFormat(name)
        let entries = try read(format, text)
        #expect(entries.map(\.login?.text) == secrets)
        let other = try #require(entries.first { $0.login == nil })
        // Without a rule the file keeps both.
        #expect((other.content == .unused) == (format.precedence != .neither))
    }

    /// As npm's package ini reads values.
    @Test(
        arguments: [
            ("tok # ci token", "tok"), ("tok3;c", "tok3"), (#"a\;b"#, "a;b"),
            ("a\\#b\\\\c\\d", "a#b\\c\\d"),
            (#""a\u0062#c""#, "ab#c"), ("'a#b'", "a#b"), (" t ", "t"), (#""a\q""#, nil),
            ("\"a", nil),
        ] as [(String, String?)])
    func valuesOfNpm(written: String, value: String?) throws {
        let entries = try read(NpmrcFile(), "//a.example/:_authToken=\(written)\n")
        #expect(entries.map(\.login?.text) == [value])
    }

    @Test(arguments: ["docker", "terraform"], ["", " \n", "\u{FEFF}"])
    func emptyFiles(name: String, text: String) throws {
        #expect(try read(try toolFormat(name), text).isEmpty)
    }

    /// Ranges count the mark.
    @Test func markBeforeJSON() throws {
        let text = "\u{FEFF}{\"auths\": {\"https://u:p@a.example\": {\"auth\": \"YTpwdw==\"}}}"
        let entries = try read(DockerConfigFile(), text)
        #expect(entries.map(\.login?.text) == ["pw"])
        #expect(entries.map(\.place) == ["registry 'a.example'"])
        #expect(
            String(decoding: cut(entries, from: Array(text.utf8)), as: UTF8.self)
                == "\u{FEFF}{\"auths\": {\"https://u:p@a.example\": {}}}")
        let terraform = "\u{FEFF}{\"credentials\": {\"a.example\": {\"token\": \"pw\"}}}"
        #expect(try read(TerraformCredentialsFile(), terraform).map(\.login?.text) == ["pw"])
    }
}
