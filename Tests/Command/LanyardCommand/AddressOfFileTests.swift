import Foundation
import KeychainServices
import TestSupport
import Testing
import PlainTextFormats
import ToolCatalog

@testable import LanyardCommand

/// The address that a program's file has for a secret: another one, in that file or in one that the command or the
/// environment names, gets nothing.
@Suite struct AddressOfFileTests {
    /// Files with the secret `s-first`, which is in use, and its address `$`.
    private static let files: [String: String] = [
        "akamai":
            "[default]\nclient_secret = s-first\nclient_token = t\naccess_token = a\nhost = $\n",
        "argocd": "contexts:\n- name: one\n  server: $\n  user: ada\ncurrent-context: one\n"
            + "users:\n- auth-token: s-first\n  name: ada\n",
        "atlas": "[default]\npublic_api_key = \"p\"\nprivate_api_key = \"s-first\"\n"
            + "ops_manager_url = \"$\"\n",
        "axiom": "active_deployment = \"a\"\n[deployments.a]\nurl = \"$\"\ntoken = \"s-first\"\n",
        "civo": #"{"apikeys":{"a":"s-first"},"meta":{"current_apikey":"a","url":"$"}}"#,
        "datadog": "[Connection]\napikey = s-first\nappkey = a\napi_host = $\n",
        "doctl": "access-token: s-first\napi-url: $\n",
        "fastly": "[fastly]\napi_endpoint = \"$\"\n[auth]\ndefault = \"a\"\n"
            + "[auth.tokens.a]\ntoken = \"s-first\"\n",
        "linode-cli": "[DEFAULT]\ndefault-user = a\n[a]\ntoken = s-first\napi_host = $\n",
        "databricks": "[DEFAULT]\nhost = $\ntoken = s-first\n",
        "doppler": "scoped:\n  /:\n    token: s-first\n    api-host: $\n",
        "exoscale": "defaultaccount = \"a\"\n[[accounts]]\nname = \"a\"\nendpoint = \"$\"\n"
            + "key = \"k\"\nsecret = \"s-first\"\n",
        "grafanactl":
            "current-context: a\ncontexts:\n  a:\n    grafana:\n      server: $\n      token: s-first\n",
        "hcloud": "active_context = \"a\"\n[[contexts]]\nname = \"a\"\ntoken = \"s-first\"\n"
            + "[contexts.preferences]\nendpoint = \"$\"\n",
        "influx": "[a]\nurl = \"$\"\ntoken = \"s-first\"\nactive = true\n",
        "infracost": "api_key: s-first\npricing_api_endpoint: $\n",
        "koyeb": "token: s-first\nurl: $\n",
        "modal": "[default]\ntoken_id = \"i\"\ntoken_secret = \"s-first\"\nserver_url = \"$\"\n",
        "lacework":
            "[default]\naccount = \"$\"\napi_key = \"k\"\napi_secret = \"s-first\"\n",
        "mysql": "[client]\nhost = $\nuser = u\npassword = s-first\n",
        "ngrok": "agent:\n  authtoken: s-first\n  connect_url: $\n",
        "octopus": #"{"apikey":"s-first","url":"$"}"#,
        "okta": "okta:\n  client:\n    token: s-first\n    orgUrl: $\n",
        "qcloud": "current_context: a\ncontexts:\n- name: a\n  endpoint: $\n  api_key: s-first\n",
        "render": "api:\n  key: s-first\n  host: $\n",
        "s3cmd": "[default]\naccess_key = k\nsecret_key = s-first\nhost_base = $\n",
        "scw": "access_key: A\nsecret_key: s-first\napi_url: $\n",
        "snow": "[connections.default]\naccount = \"$\"\nuser = \"u\"\npassword = \"s-first\"\n",
        "snowsql": "[connections]\naccountname = $\nusername = u\npassword = s-first\n",
        "td": "[account]\n  user = u\n  apikey = s-first\n  endpoint = $\n",
        "twilio": #"{"activeProfile":"a","profiles":{"a":{"apiKey":"k","apiSecret":"s-first","#
            + #""accountSid":"$"}}}"#,
        "turso": #"{"token":"s-first","baseURL":"$"}"#,
    ]

    private static func names(_ one: ServerAddress, in profile: ToolProfile) -> Bool {
        profile.plainText.contains { $0.keys.contains { $0.holds == .part(one.part) } }
            || profile.scope?.server != nil
    }

    @Test func allProfilesWithAnAddressInAFileAreHere() {
        let all = ToolProfile.all.filter { profile in
            profile.addresses.contains { Self.names($0, in: profile) }
        }
        #expect(Set(all.map(\.name)) == Set(Self.files.keys))
    }

    @Test(arguments: files.keys.sorted())
    func anotherAddress(name: String) throws {
        let home = try ProfileHome(name)
        let text = try #require(Self.files[name])
        func file(_ host: String) -> String { text.replacing("$", with: host) }
        try home.add(file("https://a.example"))
        let program = home.profile.programs.first ?? "program"
        #expect(try home.secret([program, "x"]) == "s-first")
        let path = home.profile.plainText[0].path
        let rivals = Set(home.profile.files.flatMap(\.rivals))
        var ways = MovedFileTests.ways(home.profile, path, in: home.folder.path)
        if home.profile.scope == nil, !ways.contains(where: { !$0.words.isEmpty }) {
            let place = "\(home.folder.path)/other"
            ways.append(.init(words: ["--config", place], variables: [:], place: place))
        }
        for way in ways
        where way.words.allSatisfy({ !rivals.contains(String($0.prefix { $0 != "=" })) }) {
            let place = String(way.place.dropFirst(home.folder.path.count + 1))
            for (host, secret) in [("a", "s-first"), ("b", nil)] as [(String, String?)] {
                let whole = file("https://\(host).example")
                // An import leaves the rest of such a file.
                for text in [whole, MovedFileTests.withoutSecrets(whole)] {
                    try home.write(text, to: place)
                    let given = try home.secret([program, "x"] + way.words, way.variables)
                    #expect(given == secret, "\(way) \(host) \(text)")
                }
            }
            try FileManager.default.removeItem(atPath: way.place)
        }
        try home.write(file("https://b.example"), to: path)
        #expect(try home.secret([program, "x"]) == nil)
    }

    /// An address is the same in every form of a text.
    @Test(arguments: files.keys.sorted())
    func anAddressInAnotherForm(name: String) throws {
        let home = try ProfileHome(name)
        let text = try #require(Self.files[name])
        let file = home.profile.plainText[0]
        let other: String
        switch file.format {
        case .yaml: other = text.replacing("$\n", with: ">-\n          $\n")
        case .toml: other = text.replacing("\"$\"", with: "\"\"\"\n$\"\"\"")
        default: return
        }
        try home.add(text.replacing("$", with: "https://a.example"))
        let program = home.profile.programs.first ?? "program"
        for (host, secret) in [("a", "s-first"), ("b", nil)] as [(String, String?)] {
            try home.write(other.replacing("$", with: "https://\(host).example"), to: file.path)
            #expect(try home.secret([program, "x"]) == secret, "\(host)")
        }
    }

    /// A file without an address means the usual one.
    @Test(arguments: files.keys.sorted())
    func theUsualAddress(name: String) throws {
        let home = try ProfileHome(name)
        guard let address = home.profile.addresses.first, address.usual != nil,
            let text = Self.files[name], address.usualNextTo == nil
        else {
            return
        }
        let lines = text.split(separator: "\n").filter { !$0.contains("$") }
        let program = home.profile.programs.first ?? "program"
        try home.add(
            text.hasPrefix("{")
                ? text.replacing(/,"[^"]*":"\$"/, with: "") : lines.joined(separator: "\n") + "\n")
        #expect(try home.secret([program, "x"]) == "s-first")
        for option in address.options {
            #expect(try home.secret([program, option, "https://b.example"]) == nil)
        }
        for variable in address.variables {
            #expect(try home.secret([program], [variable: "https://b.example"]) == nil)
        }
        try home.write(
            text.replacing("$", with: "https://b.example"), to: home.profile.plainText[0].path)
        #expect(try home.secret([program, "x"]) == nil)
    }

    /// Without the file, a program that gets the address in no other way asks the usual server.
    @Test(arguments: files.keys.sorted())
    func aMissingFile(name: String) throws {
        let home = try ProfileHome(name)
        guard let address = home.profile.addresses.first, let usual = address.usual,
            !home.profile.passes(.part(address.part))
        else {
            return
        }
        for host in ["https://a.example", usual] {
            let home = try ProfileHome(name)
            try home.add(try #require(Self.files[name]).replacing("$", with: host))
            try FileManager.default.removeItem(
                atPath: "\(home.folder.path)/\(home.profile.plainText[0].path)")
            let given = try home.secret([home.profile.programs.first ?? "program", "x"])
            #expect(given == (host == usual ? "s-first" : nil), "\(host)")
        }
    }

    /// A bundle, a project of databricks, names its workspace.
    @Test func bundlesOfDatabricks() throws {
        let home = try ProfileHome("databricks")
        try home.add(
            "[DEFAULT]\nhost = https://a.example\ntoken = s-first\n"
                + "[work]\nhost = https://b.example\ntoken = s-second\n")
        func secret(_ text: String, _ words: [String] = []) throws -> String? {
            for name in ["databricks.yml", "bundle.yaml"] {
                try home.write(text, to: "bundle/\(name)")
            }
            return try home.secret(
                ["databricks", "bundle", "deploy"] + words,
                ["DATABRICKS_BUNDLE_ROOT": "\(home.folder.path)/bundle"])
        }
        func workspace(_ host: String) -> String { "workspace:\n  host: https://\(host).example\n" }
        #expect(try secret("bundle:\n  name: x\n") == "s-first")
        #expect(try secret(workspace("a")) == "s-first")
        #expect(try secret(workspace("b")) == "s-second")
        #expect(try secret(workspace("c")) == nil)
        #expect(try secret("workspace: {host: https://c.example}\n") == nil)
        #expect(try secret("workspace:\n  profile: work\n") == "s-second")
        #expect(try secret("workspace:\n  profile: third\n") == nil)
        #expect(try secret(workspace("b"), ["--profile", "DEFAULT"]) == nil)
        let targets =
            "targets:\n  dev:\n    default: true\n    workspace:\n      host: https://b.example\n"
            + "  prod:\n    workspace:\n      host: https://c.example\n"
            + "  other:\n    mode: development\n"
        #expect(try secret(workspace("a") + targets) == "s-second")
        #expect(try secret(workspace("a") + targets, ["-t", "prod"]) == nil)
        #expect(try secret(workspace("a") + targets, ["--target=other"]) == "s-first")
    }

    /// The variables of one connection come before its file.
    @Test func connectionsOfSnowflake() throws {
        let home = try ProfileHome("snow")
        try home.add(
            "default_connection_name = \"dev\"\n"
                + "[connections.dev]\naccount = \"a\"\nuser = \"u\"\npassword = \"s-first\"\n"
                + "[connections.prod]\naccount = \"b\"\nuser = \"u\"\npassword = \"s-second\"\n")
        for (variable, words, secret) in [
            ("SNOWFLAKE_CONNECTIONS_DEV_ACCOUNT", [], nil),
            ("SNOWFLAKE_CONNECTIONS_PROD_ACCOUNT", [], "s-first"),
            ("SNOWFLAKE_CONNECTIONS_PROD_ACCOUNT", ["-c", "prod"], nil),
            ("SNOWFLAKE_CONNECTIONS_DEV_ACCOUNT", ["-c", "prod"], "s-second"),
        ] as [(String, [String], String?)] {
            let given = try home.secret(["snow", "sql"] + words, [variable: "c"])
            #expect(given == secret, "\(variable) \(words)")
        }
    }

    /// An item keeps the server of its context: it is known without the program's file.
    @Test func serversOfArgoCD() throws {
        let home = try ProfileHome("argocd")
        try home.add(
            "contexts:\n- name: one\n  server: a.example\n  user: ada\n"
                + "- name: two\n  server: b.example:443\n  user: bob\ncurrent-context: one\n"
                + "users:\n- auth-token: s-first\n  name: ada\n- auth-token: s-second\n  name: bob\n"
        )
        try FileManager.default.removeItem(atPath: "\(home.folder.path)/.argocd/config")
        for (server, secret) in [("a", "s-first"), ("b", "s-second"), ("c", nil)] {
            let name = "\(server).example"
            #expect(try home.secret(["argocd", "app", "list", "--server", name]) == secret)
            #expect(try home.secret(["argocd"], ["ARGOCD_SERVER": name]) == secret)
        }
        #expect(try home.secret(["argocd", "app", "list"]) == nil)
        let given = try home.given(["argocd", "--server", "a.example"])
        #expect(given == "ARGOCD_AUTH_TOKEN=s-first\nARGOCD_SERVER=a.example\n")
    }
}
