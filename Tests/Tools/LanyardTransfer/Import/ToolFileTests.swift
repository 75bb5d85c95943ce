import LanyardTransfer
import KeychainServices
import TestSupport
import Testing

/// The plain-text files of tools with a helper: each login becomes the item that the helper finds.
@Suite struct ToolFileTests {
    private func login(_ entry: Entry) -> String {
        guard let login = entry.login else {
            return entry.reason ?? "\(entry.content)"
        }
        let a = login.attributes
        let place =
            login.itemClass == .genericPassword
            ? "\(a.service ?? "")" : "\(ServerURL.text(a) ?? "")"
        return "\(a.accessGroup ?? "") \(place) \(a.account ?? "-") \(login.text)"
    }

    @Test func keysOfAWS() throws {
        let text = """
            # mine
            [default]
            aws_access_key_id = AKIA1
            aws_secret_access_key=se/cr=et

            [work]
            aws_access_key_id=ASIA2
            aws_secret_access_key=secret2
            aws_session_token=token2
            [empty]
            region = eu-west-1
            """
        let entries = try read(AWSCredentialsFile(), text)
        #expect(
            entries.map(login) == [
                "aws default AKIA1 se/cr=et", "aws work ASIA2 secret2\nsession_token=token2",
            ])
        #expect(entries.map(\.place) == ["line 2", "line 6"])
        let rest = removing(
            entries.flatMap(\.ranges), from: Secret(copying: Array(text.utf8).span))
        #expect(try rest.string() == "# mine\n[empty]\nregion = eu-west-1")
    }

    /// aws reads a region there, too.
    @Test func furtherSettingsOfAWS() throws {
        let text = """
            [default]
            region = eu-west-1
            aws_access_key_id = AKIA1
            # of the key
            aws_secret_access_key = one
            output = json
            [mixed]
            aws_access_key_id = AKIA2
            region = us-east-1
            aws_secret_access_key = two
            [old]
            aws_access_key_id = ASIA3
            aws_secret_access_key = three
            aws_security_token = token3
            x_security_token_expires = 2026-11-28T21:00:00+01:00
            """
        let entries = try read(AWSCredentialsFile(), text)
        #expect(
            entries.map(login) == [
                "aws default AKIA1 one", "aws mixed AKIA2 two",
                "aws old ASIA3 three\nsession_token=token3\nexpiration=2026-11-28T20:00:00Z",
            ])
        let rest = removing(
            entries.flatMap(\.ranges), from: Secret(copying: Array(text.utf8).span))
        #expect(
            try rest.string() == """
                [default]
                region = eu-west-1
                # of the key
                output = json
                [mixed]
                region = us-east-1

                """)
    }

    /// As `dotnet nuget add source --store-password-in-clear-text` writes the file.
    /// As botocore reads the file: the first sign ends a key, in any letter case.
    @Test func otherFormsOfAWS() throws {
        let text = """
            [default]
            aws_access_key_id : AKIA1
            AWS_Secret_Access_Key = one
            region: eu-west-1

            [profile work]
            aws_access_key_id=AKIA2
            aws_secret_access_key=two
            [ profile\t"of ada" ]
            aws_access_key_id=AKIA3
            aws_secret_access_key=three
            # all mine
            [profiles]
            aws_access_key_id=AKIA4
            aws_secret_access_key=four

            # ask Bob

            [lambda]
            role_arn = arn:x

            """
        let entries = try read(AWSCredentialsFile(), text)
        #expect(
            entries.map(login) == [
                "aws default AKIA1 one", "aws work AKIA2 two", "aws of ada AKIA3 three",
                "aws profiles AKIA4 four",
            ])
        let rest = removing(
            entries.flatMap(\.ranges), from: Secret(copying: Array(text.utf8).span))
        #expect(
            try rest.string() == """
                [default]
                region: eu-west-1

                # all mine
                # ask Bob

                [lambda]
                role_arn = arn:x

                """)
    }

    @Test func passwordsOfNuGet() throws {
        let text = """
            <?xml version="1.0" encoding="utf-8"?>
            <configuration>
              <packageSources>
                <add key="nuget.org" value="https://api.nuget.org/v3/index.json" protocolVersion="3" />
                <add key="My Feed" value="https://pkgs.example.com/v3/index.json?a=1&amp;b=2" />
                <add key="local" value="/srv/packages" />
              </packageSources>
              <packageSourceCredentials>
                <My_x0020_Feed>
                    <add key="Username" value="ada" />
                    <add key="ClearTextPassword" value="p&quot;w" />
                  </My_x0020_Feed>
                <nuget.org>
                    <add key="Username" value="bob" />
                    <add key="Password" value="AQAAANCMnd8B" />
                  </nuget.org>
                <local>
                    <add key="Username" value="bob" />
                    <add key="ClearTextPassword" value="x" />
                  </local>
                <other>
                    <add key="Username" value="bob" />
                    <add key="ClearTextPassword" value="%NUGET_TOKEN%" />
                  </other>
              </packageSourceCredentials>
            </configuration>

            """
        let entries = try read(NuGetConfigFile(), text)
        #expect(
            entries.map(login) == [
                "nuget https://pkgs.example.com/v3/index.json?a=1&b=2 ada p\"w",
                "it is encrypted by Windows", "its source has no address in the file",
                "it names a variable",
            ])
        #expect(entries.map(\.place) == ["line 11", "line 15", "line 19", "line 23"])
        let rest = removing(
            entries.prefix(1).flatMap(\.ranges), from: Secret(copying: Array(text.utf8).span))
        let whole = try rest.string()
        #expect(!whole.contains("My_x0020_Feed") && whole.contains("</nuget.org>"))
        #expect(whole.split(separator: "\n").count == text.split(separator: "\n").count - 4)
    }

    /// NuGet ignores the letter case of keys, and reads the first of several.
    @Test func keysOfNuGet() throws {
        let entries = try read(
            NuGetConfigFile(),
            """
            <configuration><packageSources><add key="a" value="https://a.example/" /></packageSources>
            <packageSourceCredentials><a><add key="username" value="ada" />
            <add key="USERNAME" value="bob" /><add key="cleartextpassword" value="pw" /></a>
            <b><add key="userName" value="u" /><add key="password" value="AQAA" /></b>
            </packageSourceCredentials></configuration>
            """)
        #expect(
            entries.map(login) == ["nuget https://a.example ada pw", "it is encrypted by Windows"])
    }

    @Test func propertiesOfGradle() throws {
        let text = """
            # mine
            ! too
            org.gradle.jvmargs=-Xmx2g
            mavenCentralUsername=ada
            mavenCentralPassword=p w
            gpr.token : "t1"
            gprToken : "t1"
            aToken:x=y
            apiSecret=${OTHER}
            keyPassword=a\\b
            systemProp.https.proxyPassword=x
            authToken=x\u{20}
            """
        let entries = try read(GradlePropertiesFile(), text)
        #expect(
            entries.map(login) == [
                "login gradle/mavenCentralPassword - p w", "no variable can set it",
                "login gradle/gprToken - \"t1\"", "login gradle/aToken - x=y",
                "its value has escapes, several lines or a blank at its end",
                "no variable can set it",
                "its value has escapes, several lines or a blank at its end",
            ])
        #expect(entries.first?.place == "line 5")
    }

    /// All that Java takes for a sign between key and value, and lines that continue others.
    @Test func formsOfProperties() throws {
        let entries = try read(
            GradlePropertiesFile(),
            "aPassword one\n  bPassword\t=two\ncPassword : three\n dPassword   =four = five\n"
                + "! ePassword six \\\nfPassword seven\nnote a \\\n  gPassword eight \\\n  hPassword nine\n"
                + "iPassword ten\\\n  eleven\nj\\ Password=twelve\nkPassword [x]\nlPassword a\\\\\nmToken #1;2\n"
        )
        let escaped = "its value has escapes, several lines or a blank at its end"
        #expect(
            entries.map(login) == [
                "login gradle/aPassword - one", "login gradle/bPassword - two",
                "login gradle/cPassword - three", "login gradle/dPassword - four = five",
                "login gradle/fPassword - seven", escaped, "no variable can set it",
                "login gradle/kPassword - [x]", escaped, "login gradle/mToken - #1;2",
            ])
    }

    /// As uv 0.13 writes the file.
    @Test func loginsOfUV() throws {
        let text = """
            [[credential]]
            service = "https://pypi.example.com/"
            username = "ada"
            scheme = "basic"
            password = 'p"w\\x'

            [[credential]]
            service = "https://TOK.example.com:8443/"
            username = "__token__"
            scheme = "basic"
            password = "tok123"

            [[credential]]
            service = "https://escaped.example/"
            username = "x"
            scheme = "basic"
            password = "a\\"b"

            [[credential]]
            service = "https://bearer.example/"
            scheme = "bearer"
            token = "x"

            """
        let entries = try read(UVCredentialsFile(), text)
        #expect(
            entries.map(login) == [
                "keyring https://pypi.example.com ada p\"w\\x",
                "keyring https://tok.example.com:8443 __token__ tok123",
                "keyring https://escaped.example x a\"b",
                "it is a bearer token, and uv asks keyring only for passwords",
            ])
        #expect(entries.map(\.place) == [1, 7, 13, 19].map { "line \($0)" })
        let rest = removing(
            entries.prefix(2).flatMap(\.ranges), from: Secret(copying: Array(text.utf8).span))
        #expect(try rest.string().hasPrefix("[[credential]]\nservice = \"https://escaped"))
    }

    /// Whatever else TOML has.
    @Test func otherFormsOfUV() throws {
        let text = """
            note = \"\"\"
            [[credential]]
            \"\"\"
            [[ "credential" ]]  # of work
            "service" = "https://a.example/"
            username = 'ada'
            password = \"\"\"
            p\\u0077\"\"\"
            [[credential]]
            service = "https://b.example/"
            username = "ada"
            password = 1234

            """
        let entries = try read(UVCredentialsFile(), text)
        #expect(
            entries.map(login) == [
                "keyring https://a.example ada pw", "one of its values is no text",
            ])
        #expect(entries.map(\.place) == ["line 4", "line 9"])
        let inline = "credential = [{ service = \"https://a.example/\", password = \"pw\" }]\n"
        #expect(
            try read(UVCredentialsFile(), inline).map(login) == [
                "it is in no table [[credential]]"
            ])
    }

    /// A comment above a table stays with it.
    @Test func commentsOfUV() throws {
        let text = """
            # mine
            [[credential]]
            service = "https://a.example/"
            # of ada
            username = "ada"
            password = "pw"

            # of work, not a password
            [[credential]]
            service = "https://b.example/"
            scheme = "bearer"
            token = "x"

            """
        let entries = try read(UVCredentialsFile(), text)
        #expect(
            entries.map(login) == [
                "keyring https://a.example ada pw",
                "it is a bearer token, and uv asks keyring only for passwords",
            ])
        let rest = removing(entries[0].ranges, from: Secret(copying: Array(text.utf8).span))
        #expect(
            try rest.string() == """
                # mine
                # of work, not a password
                [[credential]]
                service = "https://b.example/"
                scheme = "bearer"
                token = "x"

                """)
    }

    @Test func tokensOfCargo() throws {
        let configuration = Secret(
            """
            [registries]
            other = 1
            [registries.mine]
            index = "sparse+https://cargo.example/index/"
            [registries."quoted"]
            index = "https://git.example/index" # by git
            """)
        let entries = try read(
            CargoCredentialsFile(configuration: configuration),
            """
            [registry]
            token = "cio1" # crates.io
            [registries.mine]
            token = 'mine1'
            [registries.quoted]
            token = "quoted1"
            [registries.unknown]
            token = "x"
            [registries.number]
            token = 1
            """)
        #expect(entries.map(\.place) == [2, 4, 6, 8, 10].map { "line \($0)" })
        #expect(
            entries.map(login) == [
                "cargo https://github.com/rust-lang/crates.io-index - cio1",
                "cargo https://cargo.example/index - mine1",
                "cargo https://git.example/index - quoted1",
                "cargo's configuration has no index for its registry",
                "its token is not a text",
            ])
    }

    @Test func theUserInAnIndexOfCargoIsTheServers() throws {
        let index = "[registries.work]\nindex = \"ssh://git@ssh.r.example/i.git\"\n"
        let format = CargoCredentialsFile(configuration: Secret(index))
        let entries = try read(format, "[registries.work]\ntoken = \"t\"\n")
        #expect(entries.map(login) == ["cargo ssh://ssh.r.example/i.git - t"])
    }

    /// The forms of The Cargo Book, "Registries".
    @Test(arguments: [
        "[registries]\nwork = { index = \"sparse+https://r.example/i/\" }\n",
        "[registries]\nwork = {credential-provider=[\"x\", \"index='y'\"], index='https://r.example/i/'} # mine\n",
        "[registries]\nwork.index = \"https://r.example/i/\"\n",
        "registries.work = { index = \"https://r.example/i/\", token = \"x\" }\n",
        "[registries.'work']\nindex = \"https://r.example/i/\"\n",
    ])
    func registriesOfCargo(configuration: String) throws {
        let format = CargoCredentialsFile(configuration: Secret(configuration))
        for text in [
            "[registries.work]\ntoken = \"t\"\n", "[registries]\nwork.token = \"t\"\n",
            "[registries]\nwork = { token = \"\\u0074\" }\n",
        ] {
            #expect(try read(format, text).map(login) == ["cargo https://r.example/i - t"])
        }
    }

    @Test func tokensOfTerraform() throws {
        let entries = try read(
            TerraformCredentialsFile(),
            """
            {"credentials": {"app.terraform.io": {"token": "t1"}, "tf.example:8443": {"token": "t2"},
             "none.example": {}}}
            """)
        #expect(
            entries.map(login) == [
                "terraform https://app.terraform.io - t1", "terraform https://tf.example:8443 - t2",
                "it has no password",
            ])
        #expect(refusal(TerraformCredentialsFile(), "{\"credentials\": [")?.status == .decode)
    }

    @Test func tokensInTheConfigurationOfTerraform() throws {
        let text = """
            # { credentials "x" {
            plugin_cache_dir = "$HOME/.cache"
            credentials "app.terraform.io" {
              # token = "old"
              token = "t1"
            }
            credentials "tf.example:8443" { token = "t2" } // mine
            credentials "esc.example" {
              token = "t\\"3"
            }
            credentials_helper "lanyard" {
              args = ["credentials"]
            }
            provider_installation {
              network_mirror { url = "https://mirror.example/" }
            }
            """
        let entries = try read(TerraformCredentialsFile(), text)
        #expect(
            entries.map(login) == [
                "terraform https://app.terraform.io - t1", "terraform https://tf.example:8443 - t2",
                "its token has escapes or variables",
            ])
        #expect(entries.map(\.place) == ["line 5", "line 7", "line 9"])
        let rest = removing(
            entries.filter { $0.reason == nil }.flatMap(\.ranges),
            from: Secret(copying: Array(text.utf8).span))
        #expect(
            try rest.string() == """
                # { credentials "x" {
                plugin_cache_dir = "$HOME/.cache"
                 // mine
                credentials "esc.example" {
                  token = "t\\"3"
                }
                credentials_helper "lanyard" {
                  args = ["credentials"]
                }
                provider_installation {
                  network_mirror { url = "https://mirror.example/" }
                }
                """)
        let blocks = ["a", "b"].map { "credentials \"\($0).example\" { token = \"t-\($0)\" }" }
        let line = Secret(blocks.joined(separator: " ") + "\n")
        let second = try read(TerraformCredentialsFile(), try line.string())[1]
        #expect(login(second) == "terraform https://b.example - t-b")
        #expect(try removing(second.ranges, from: line).string() == "\(blocks[0])\n")
        let nested = String(repeating: "a {", count: 100)
        #expect(refusal(TerraformCredentialsFile(), nested)?.status == .decode)
    }

    @Test func tokenOfVault() throws {
        let format = VaultTokenFile(address: "https://vault.example:8200")
        #expect(
            try read(format, "hvs.token\n").map(login) == [
                "vault https://vault.example:8200 - hvs.token"
            ])
        #expect(
            try read(VaultTokenFile(address: "unix:///run/vault.sock"), "t").map(login) == [
                "vault unix://localhost/run/vault.sock - t"
            ])
        #expect(try read(format, " \n").isEmpty)
        #expect(
            try read(VaultTokenFile(address: "::"), "t").map(login) == ["VAULT_ADDR is not a URL"])
    }

    @Test func tokensOfNpm() throws {
        let entries = try read(
            NpmrcFile(),
            """
            registry=https://npm.example/
            //npm.example/:_authToken=npm_1
            //npm.example/team/:_authToken="npm_2"
            //other.example/:_authToken=${NPM_TOKEN}
            //npm.example/:always-auth=true
            """)
        #expect(
            entries.map(login) == [
                "npm https://npm.example - npm_1", "npm https://npm.example/team - npm_2",
                "its token is not in the file",
            ])
    }

    /// npm takes the last line, also one without a token.
    @Test func replacedTokensOfNpm() throws {
        let entries = try read(
            NpmrcFile(),
            """
            //a.example/:_authToken=npm_1
            //b.example/:_authToken=npm_2
            //c.example/:_authToken=${TOKEN}
            //a.example/:_authToken=${TOKEN}
            //b.example/:_authToken=
            //c.example/:_authToken=npm_3
            """)
        let replaced = "npm takes a later line, which has no token"
        #expect(
            entries.map(login) == [
                replaced, replaced, "its token is not in the file", "its token is not in the file",
                "it has no password", "npm https://c.example - npm_3",
            ])
    }

    @Test func passwordsOfTwine() throws {
        let entries = try read(
            PypircFile(),
            """
            [distutils]
            index-servers = pypi mine
            [pypi]
            password = pypi-AgE
            [mine]
            repository = https://pypi.example/legacy/
            username = ada
            password = p%w"
            [nothing]
            password = x
            [colons]
            repository: https://colons.example/legacy/
            username: bob
            password: a=b
            [first]
            repository:https://first.example/?a=b
            username:\tbob
            password:x=y
            [user]
            repository = https://eve@user.example/
            password = u
            """)
        #expect(
            entries.map(login) == [
                "keyring https://upload.pypi.org/legacy __token__ pypi-AgE",
                "keyring https://pypi.example/legacy ada p%w\"", "it names no repository",
                "keyring https://colons.example/legacy bob a=b",
                "keyring https://first.example/?a=b bob x=y",
                "keyring https://eve@user.example/ __token__ u",
            ])
    }

    @Test func byteOrderMark() throws {
        let entries = try read(CargoCredentialsFile(), "\u{FEFF}[registry]\ntoken = \"t\"\n")
        #expect(entries.map(login) == ["cargo https://github.com/rust-lang/crates.io-index - t"])
    }

    /// Whatever the bytes, ranges ascend within the file, and nothing crashes.
    @Test func randomBytes() throws {
        var random = SeededRandom()
        let pieces = [
            "[", "]", "=", "\"", "'", "\n", "\r\n", "token", "password", "username",
            "//a.example/:_authToken",
            "registries.x", "registry", "aws_access_key_id", "aws_secret_access_key", "\\", "{",
            "}", ":",
            "credentials", "#", ";", " ", "\u{0}", "\u{ff}",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0..<30, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            for format in [
                AWSCredentialsFile(),
                CargoCredentialsFile(configuration: Secret(copying: Array(text.utf8).span)),
                NpmrcFile(), PypircFile(), VaultTokenFile(address: "https://a.example"),
            ] as [any ImportFormat] {
                var end = 0
                let isRead = try KeychainError.ignoring(.decode) { () throws(KeychainError) in
                    try format.read(Secret(copying: Array(text.utf8).span)) {
                        record throws(KeychainError) in
                        for range in record.ranges {
                            #expect(range.lowerBound >= end && range.upperBound <= text.utf8.count)
                            end = format is PypircFile ? 0 : range.upperBound
                        }
                    }
                }
                // Other text than TOML is refused.
                #expect(isRead || format is CargoCredentialsFile)
            }
        }
    }
}
