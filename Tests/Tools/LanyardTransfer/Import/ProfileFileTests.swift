import LanyardTransfer
import KeychainServices
import Testing
import ToolCatalog

/// The plain-text files of programs with a profile: each secret becomes the item that `lanyard run` reads.
@Suite struct ProfileFileTests {
    private static let tooManyFields =
        "it has more than five fields: a colon in a field takes a backslash before it"

    private func format(_ name: String) throws -> ProfileFile {
        let profile = try #require(ToolProfile(program: name))
        return ProfileFile(profile, try #require(profile.plainText.first))
    }

    private func imported(_ name: String, _ text: String) throws -> [String] {
        try read(try format(name), text).map { entry in
            guard let login = entry.login else {
                return entry.reason ?? (entry.content == .shadowed ? "shadowed" : "unused")
            }
            return
                "\(login.attributes.service ?? "") \(login.attributes.account ?? "-") \(login.text)"
        }
    }

    private func rest(_ name: String, _ text: String) throws -> String {
        let ranges = Set(
            try read(try format(name), text).filter { $0.reason == nil }.flatMap(\.ranges)
        )
        .sorted { $0.lowerBound < $1.lowerBound }
        return try removing(ranges, from: Secret(copying: Array(text.utf8).span)).string()
    }

    /// Files as the programs write them.
    @Test(arguments: [
        (
            "gh",
            """
            github.com:
                users:
                    bob:
                        oauth_token: gho_b
                    ada:
                        oauth_token: gho_a
                oauth_token: gho_a
                user: ada
                git_protocol: https

            """, ["shadowed", "gh@github.com bob gho_b", "gh@github.com ada gho_a"]
        ),
        (
            "stripe",
            "[default]\ndevice_name = 'x'\nlive_mode_api_key = 'rk_live_1'\ntest_mode_api_key = 'rk_test_1'\n",
            ["stripe@default live rk_live_1", "stripe@default test rk_test_1"]
        ),
        (
            "hcloud",
            "active_context = \"b\"\n[[contexts]]\nname = \"a\"\ntoken = \"ta\"\n[[contexts]]\nname = \"b\"\ntoken = \"tb\"\n",
            ["hcloud@b - tb", "hcloud@a - ta"]
        ),
        (
            "psql",
            "h:1:*:ada:a\\:b\\\\c\nh:1:*:b\\:b:p\\q\nh:1:*:carl:p:q\n::1:1:*:dora:p\n",
            [tooManyFields, tooManyFields, "psql@h:1:* b:b pq", "psql@h:1:* ada a:b\\c"]
        ),
        (
            "doctl", "access-token: dop_1\nauth-contexts:\n  work: dop_2\ncontext: default\n",
            ["doctl@work - dop_2", "doctl@default - dop_1"]
        ),
        (
            "argocd",
            "users:\n- auth-token: jwt\n  name: argo.example\n", ["argocd@argo.example - jwt"]
        ),
        (
            "databricks", "[DEFAULT]\nhost = https://d.example\ntoken = dapi1\n",
            ["databricks@DEFAULT/host - https://d.example", "databricks@DEFAULT - dapi1"].reversed()
        ),
        (
            "wandb", "machine api.wandb.ai\n  login user\n  password w1\n",
            ["wandb@api.wandb.ai - w1"]
        ),
        ("psql", "db.example:5432:*:ada:pw\n", ["psql@db.example:5432:* ada pw"]),
        (
            "mysql", "[client]\nuser = ada\npassword2 = b\npassword = a\n",
            ["lanyard run can't pass it to mysql", "mysql@client ada a"]
        ),
        ("mysql", "[client]\nuser = ada\npassword = \"p w\"\n", ["mysql@client ada p w"]),
        (
            "mysql", "[client]\nhost = db\nuser = ada\npassword = pw\n",
            ["mysql@client ada pw", "mysql@client/host ada db"]
        ),
        ("hf", "hf_1\n", ["hf@active - hf_1"]),
        (
            "sentry-cli", "[defaults]\nurl = https://s.example/\n[auth]\ntoken = t\n",
            ["sentry-cli@s.example - t"]
        ),
        ("sentry-cli", "[auth]\ntoken = t\n", ["sentry-cli@sentry.io - t"]),
        ("scw", "secret_key: s\naccess_key: A\nactive_profile: p\n", ["scw@default A s"]),
        (
            "psql", "*:*:*:*:a\nh:1:d:u:b\n*:1:*:v:c\n", ["unused", "unused", "psql - a"]
        ),
        (
            "psql", "*:1:*:u:a\nh:1:d:u:b\nh:*:*:u:c\nh:2:\\*:u:d\n",
            ["unused", "psql@h:*:* u c", "unused", "psql@*:1:* u a"]
        ),
        ("vapor", "{\"token\": \"a\\/b\"}", ["vapor - a/b"]),
        (
            "kaggle-key", "{\"username\":\"ada\",\"key\":\"k1\"}", ["kaggle-key ada k1"]
        ),
        (
            "upcloud", "username: ada\npassword: p\ntoken: ucat_1\n",
            ["lanyard run can't pass it to upcloud", "upcloud - ucat_1"]
        ),
        (
            "upcloud-password", "username: ada\npassword: p\n", ["upcloud-password ada p"]
        ),
        (
            "fastly",
            "[auth]\ndefault = 'a'\n[auth.tokens.a]\ntoken = 't1'\nemail = 'ada@a.example'\n[auth.tokens.b]\ntoken = 't2'\nrefresh_token = 'r'\n",
            ["it belongs to a session that fastly renews", "fastly@a ada@a.example t1"]
        ),
        (
            "ovhcloud",
            "[default]\nendpoint=ovh-eu\n[ovh-eu]\napplication_key=ak\napplication_secret=as\nconsumer_key=ck\n",
            ["ovhcloud@ovh-eu ak as", "ovhcloud@ovh-eu/consumer-key ak ck"]
        ),
        (
            "ionosctl",
            "currentProfile: user\nprofiles:\n    - name: user\n      environment: prod\n      credentials:\n        token: t1\n",
            ["ionosctl@user - t1"]
        ),
        (
            "newrelic",
            "{\"default\":{\"apiKey\":\"NRAK-1\",\"region\":\"us\",\"accountID\":42,\"licenseKey\":\"l\"}}",
            ["newrelic@default - NRAK-1", "newrelic@default/license-key - l"]
        ),
        (
            "travis", "endpoints:\n  https://api.travis-ci.com/:\n    access_token: t1\n",
            ["travis@api.travis-ci.com - t1"]
        ),
        (
            "twilio",
            "{\"profiles\":{\"a\":{\"accountSid\":\"AC1\",\"apiKey\":\"SK1\",\"apiSecret\":\"s1\"}},\"activeProject\":\"a\"}",
            ["twilio@a SK1 s1", "twilio@a/account-sid SK1 AC1"]
        ),
        // The Secret Service has these keys; the file shows how they begin, or an entry's name.
        (
            "stripe",
            "[default]\nlive_mode_api_key = 'rk_live_*******5678'\ntest_mode_api_key = 'rk_test_1'\n",
            ["stripe@default test rk_test_1"]
        ),
        (
            "doppler",
            "scoped:\n  /:\n    token: secret-123e4567-e89b-12d3-a456-426614174000\n  /a:\n    token: dp.ct.1\n",
            ["doppler@/a - dp.ct.1"]
        ),
        (
            "maven",
            """
            <settings xmlns="http://maven.apache.org/SETTINGS/1.2.0"><servers>
              <server><id>central</id><username>ada</username><password>p&amp;w</password></server>
              <server><id>snapshots</id><username>ada</username><password>${env.PW}</password></server>
            </servers></settings>
            """, ["maven central p&w", "maven/username central ada"]
        ),
        (
            "composer",
            "{\n  \"github-oauth\": {\"github.com\": \"gho_1\"}, \"bearer\": {\"b.example\": \"t\"}\n}\n",
            [
                "composer - {\n  \"github-oauth\": {\"github.com\": \"gho_1\"}, \"bearer\": {\"b.example\": \"t\"}\n}"
            ]
        ),
        ("composer", "{\"github-oauth\": {}}\n", []),
        (
            "ngrok", "version: 3\nagent: {authtoken: a, connect_url: \"b.example:443\"}\n",
            ["ngrok - a", "ngrok/server - b.example:443"]
        ),
        (
            "s3cmd", "[default]\naccess_key = AKIA1\nsecret_key = s3\ngpg_passphrase =\n",
            ["s3cmd AKIA1 s3", "s3cmd/host AKIA1 s3.amazonaws.com"]
        ),
        (
            "azure",
            "[{\"client_id\": \"app\", \"tenant\": \"t\", \"client_secret\": \"cs\"}]",
            ["azure app cs", "azure/tenant app t"]
        ),
        (
            "copilot", "{\"copilot_tokens\": {\"https://github.com:ada\": \"gho_2\"}}",
            ["copilot@https://github.com:ada - gho_2"]
        ),
    ])
    func secrets(name: String, text: String, items: [String]) throws {
        #expect(try imported(name, text) == items)
    }

    /// A login is a repetition only if the program gets the same from the item of the earlier one.
    @Test(arguments: [
        (
            "maven",
            "<settings><servers>"
                + "<server><id>releases</id><username>u</username><password>p</password></server>"
                + "<server><id>snapshots</id><username>u</username><password>p</password></server>"
                + "</servers></settings>",
            [
                "maven snapshots p", "maven/username snapshots u", "maven releases p",
                "maven/username releases u",
            ], 1
        ),
        (
            "psql", "a.example:5432:*:ada:pw\nb.example:5432:*:bob:pw\n",
            ["psql@b.example:5432:* bob pw", "psql@a.example:5432:* ada pw"], 1
        ),
        // Each line is for its own host; of two for one, libpq uses the first.
        (
            "psql", "a.example:5432:*:ada:pw\nb.example:5432:*:ada:pw\n",
            ["psql@b.example:5432:* ada pw", "psql@a.example:5432:* ada pw"], 1
        ),
        (
            "psql", "a.example:5432:*:ada:pw\nb.example:5432:*:ada:pv\n",
            ["psql@b.example:5432:* ada pv", "psql@a.example:5432:* ada pw"], 1
        ),
        (
            "psql", "a.example:5432:*:ada:pw\na.example:5432:*:ada:pv\n",
            ["unused", "psql@a.example:5432:* ada pw"], 1
        ),
        (
            "snowsql",
            "[connections]\nusername=ada\npassword=pw\n[connections.b]\nusername=bob\npassword=pw\n",
            ["snowsql@b bob pw", "snowsql@default ada pw"], 1
        ),
        (
            "databricks",
            "[work]\nhost = https://w.example\ntoken = t\n[DEFAULT]\nhost = https://d.example\ntoken = t\n",
            [
                "databricks@DEFAULT - t", "databricks@DEFAULT/host - https://d.example",
                "databricks@work - t", "databricks@work/host - https://w.example",
            ], 1
        ),
        (
            "akamai",
            "[default]\nclient_secret = s\nclient_token = t\naccess_token = a\nhost = h\n"
                + "[papi]\nclient_secret = s\nclient_token = t\naccess_token = a\nhost = h\n",
            [
                "akamai@papi - s", "akamai@papi/host - h", "akamai@papi/access-token - a",
                "akamai@papi/client-token - t", "akamai@default - s", "akamai@default/host - h",
                "akamai@default/access-token - a", "akamai@default/client-token - t",
            ], 1
        ),
        (
            "lacework",
            "[default]\napi_key = 'k'\napi_secret = 's'\naccount = 'a'\n"
                + "[again]\napi_key = 'k'\napi_secret = 's'\naccount = 'a'\n"
                + "[other]\napi_key = 'k'\napi_secret = 's'\naccount = 'b'\n",
            [
                "lacework@other k s", "lacework@other/account-name k b", "lacework@again k s",
                "lacework@again/account-name k a", "lacework@default k s",
                "lacework@default/account-name k a",
            ], 1
        ),
        (
            "hcloud",
            "[[contexts]]\nname = \"a\"\ntoken = \"t\"\n[[contexts]]\nname = \"b\"\ntoken = \"t\"\n",
            ["hcloud@b - t", "hcloud@a - t"], 1
        ),
        (
            "pulumi",
            "{\"accessTokens\": {\"https://api.pulumi.com\": \"t\"},"
                + "\"accounts\": {\"https://api.pulumi.com\": {\"accessToken\": \"t\", \"username\": \"ada\"}}}",
            ["shadowed", "pulumi@api.pulumi.com ada t"], 1
        ),
    ])
    func repeatedSecrets(name: String, text: String, items: [String], accounts: Int) throws {
        #expect(try imported(name, text) == items)
        #expect(try format(name).accounts(in: Secret(text)).count == accounts)
    }

    /// The program gets the secret of one account, however many files it reads.
    @Test func accountsOfSeveralFiles() throws {
        let format = try format("upstash")
        func file(_ name: String) -> Secret {
            Secret("{\"email\": \"\(name)\", \"api_key\": \"t-\(name)\"}")
        }
        var accounts = try format.accounts(in: file("a"))
        accounts.formUnion(try format.accounts(in: file("a")))
        #expect(accounts.count == 1)
        accounts.formUnion(try format.accounts(in: file("b")))
        #expect(accounts.count == 2)
    }

    /// Without the line that hides another one, libpq would use that: both stay if their passwords differ.
    @Test func rangesOfAHiddenLine() throws {
        let entries = try read(
            try format("psql"), "*:*:*:*:a\nh:1:d:u:b\nh:2:d:u:a\n"
        ).reversed()
        #expect(entries.map(\.ranges) == [[0..<10], [0..<10, 10..<20], [20..<30]])
    }

    /// A login stays whole if one of its entries is left.
    @Test func rangesOfALogin() throws {
        let entries = try read(
            try format("akamai"),
            "[default]\nclient_secret = s\nclient_token = t\naccess_token = a\nhost = h\n")
        #expect(entries.count == 4)
        for entry in entries {
            #expect(entry.ranges == [10..<28, 28..<45, 45..<62, 62..<71])
        }
    }

    /// stripe's file where it finds no Secret Service.
    @Test func aNameOfProfileAndKey() throws {
        let profile = try #require(ToolProfile(program: "stripe"))
        let entries = try read(
            ProfileFile(profile, profile.plainText[1]),
            "{\"default.live_mode_api_key\":\"rk_live_1\",\"uat\":\"u\"}")
        #expect(entries.map(\.reason) == ["it belongs to a session that stripe renews", nil])
        #expect(entries.last?.login?.attributes.account == "live")
        #expect(entries.last?.login?.text == "rk_live_1")
    }

    /// What the program could not use is no half import.
    @Test(arguments: [
        (
            "hcloud", "[[contexts]]\ntoken = \"x\"\n", "its context is not next to it"
        ),
        (
            "hcloud", "[[contexts]]\nname = 1\ntoken = \"x\"\n",
            "its context has escapes, comments or several lines"
        ),
        (
            "claude", "{\"claudeAiOauth\":{\"accessToken\":\"x\"}}",
            "it belongs to a session that claude renews"
        ),
        (
            "maven",
            "<settings><servers><server><id>a</id><password>{b=}</password></server></servers></settings>",
            "it is encrypted with the master password in settings-security.xml"
        ),
        (
            "maven",
            "<settings><servers><server><id>a</id><username>u</username><password>p</password>"
                + "<configuration><timeout>1</timeout></configuration></server></servers></settings>",
            "the element around it has further settings"
        ),
        (
            "maven",
            "<settings><servers><server><id>a</id><password>p</password></server></servers></settings>",
            "its username is not next to it"
        ),
        (
            "maven",
            "<settings><proxies><proxy><password>p</password></proxy></proxies></settings>",
            "lanyard run can't pass it to maven"
        ),
        (
            "neonctl", "{\"access_token\":\"x\",\"refresh_token\":\"y\"}",
            "it belongs to a session that neonctl renews"
        ),
        ("pscale", "x\n", "lanyard run can't pass it to pscale"),
        ("yarn", "npmAuthToken: \"${TOKEN:-npm_1}\"\n", "it is the default of a variable"),
        ("akamai", "[default]\nclient_secret = x\n", "its client-token is not next to it"),
        ("koyeb", "token: &a x\n", "its value has escapes, comments or several lines"),
    ])
    func refused(name: String, text: String, reason: String) throws {
        #expect(try imported(name, text) == [reason])
    }

    /// Every form of a text that YAML has, and the file without it.
    @Test(arguments: [
        ("token: |-\n  x y\na: b\n", "x y", "a: b\n"),
        ("token: >-\n  x\n  y\n\n# c\na: b\n", "x y", "\n# c\na: b\n"),
        ("token: x\n  y # c\na: b\n", "x y", "a: b\n"),
        ("token: 'x''y' # c\n", "x'y", ""), ("\"token\": \"\\x78\\\n  y\"\n", "xy", ""),
        ("token: !!null xy\n", "xy", ""), ("---\ntoken: xy\n...\n", "xy", "---\n...\n"),
        ("{token: xy, a: {b: [1]}}\n", "xy", "{token: , a: {b: [1]}}\n"),
        ("{\"token\":\"x\\u0079\",\n\"a\":{}}\n", "xy", "{\"token\":\"\",\n\"a\":{}}\n"),
    ])
    func formsOfYAML(text: String, token: String, rest: String) throws {
        let plain = try imported("koyeb", "token: plain\n")
        #expect(try imported("koyeb", text) == plain.map { $0.replacing("plain", with: token) })
        #expect(try self.rest("koyeb", text) == rest)
    }

    /// The rest is a file that the program reads.
    @Test func rests() throws {
        #expect(
            try rest("gh", "github.com:\n    oauth_token: x\n    user: ada\n")
                == "github.com:\n    user: ada\n")
        #expect(
            try rest("argocd", "users:\n- auth-token: jwt # c\n  name: a\n")
                == "users:\n- auth-token:\n  name: a\n")
        #expect(try rest("vapor", "{\"token\": \"x\"}") == "{\"token\": \"\"}")
        // It reads its variables only if the file has no access key.
        #expect(
            try rest("s3cmd", "[default]\naccess_key = k\nhost_base = h\nsecret_key = s\n")
                == "[default]\nhost_base = h\n")
        #expect(
            try rest("ngrok", "agent: {authtoken: x, a: b}\n") == "agent: {authtoken: , a: b}\n")
        #expect(
            try rest(
                "maven",
                "<settings>\n  <servers>\n    <server>\n      <id>a</id>\n      <username>u</username>\n"
                    + "      <password>p</password>\n    </server>\n  </servers>\n</settings>\n")
                == "<settings>\n  <servers>\n  </servers>\n</settings>\n")
        #expect(
            try rest("wandb", "machine a login b password c\nmachine api.wandb.ai\n password w\n\n")
                == "machine a login b password c\n\n")
    }
}
