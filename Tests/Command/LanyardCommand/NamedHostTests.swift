import KeychainServices
import TestSupport
import Testing
import ToolCatalog

@testable import LanyardCommand

/// The host that arguments name, its port, and the address that a secret is stored with.
@Suite struct NamedHostTests {
    @Test(
        arguments: [
            ["repo", "clone", "https://second.example/a/b"],
            ["repo", "clone", "git@second.example:a/b.git"],
            ["repo", "clone", "ssh://git@second.example:2222/a/b"],
            ["repo", "clone", "second.example/a/b"],
            ["--verbose", "repo", "view", "SECOND.example/a/b", "--", "--depth", "1"],
            ["-R", "https://second.example/a/b", "issue", "list"],
            ["-R", "second.example/a/b", "issue", "list"],
            ["api", "--hostname", "second.example", "x"],
            ["auth", "token", "-h", "second.example"],
        ])
    func arguments(words: [String]) throws {
        for (name, usual) in [("gh", "github.com"), ("glab", "gitlab.com")] {
            let home = try ProfileHome(name)
            try home.set(ByteString("\(name)@\(usual)"), secret: "s-first")
            #expect(try home.secret([name] + words) == nil, "\(name) \(words)")
            try home.set(ByteString("\(name)@second.example"), secret: "s-second")
            #expect(try home.secret([name] + words) == "s-second", "\(name) \(words)")
            let asUsual = words.map {
                $0.replacing(/(?i)second\.example/, with: usual)
            }
            #expect(try home.secret([name] + asUsual) == "s-first", "\(name) \(asUsual)")
        }
    }

    /// These name no host.
    @Test(
        arguments: [
            ["pr", "create", "--title", "https://second.example", "-b", "a@second.example:b"],
            ["variable", "set", "X", "https://second.example"],
            ["api", "repos/a.b/c"], ["release", "upload", "v1", "dist.d/x/y"],
            ["issue", "create", "-t", "see https://second.example/x"], ["-R", "a/b", "pr", "list"],
        ])
    func otherArguments(words: [String]) throws {
        for (name, usual) in [("gh", "github.com"), ("glab", "gitlab.com")] {
            let home = try ProfileHome(name)
            try home.set(ByteString("\(name)@\(usual)"), secret: "s-first")
            #expect(try home.secret([name] + words) == "s-first", "\(name) \(words)")
        }
    }

    @Test func namesOfHosts() throws {
        let gh = try ProfileHome("gh")
        try gh.set("gh@github.com", secret: "s-first")
        for words in [
            ["gist", "view", "https://gist.github.com/x"], ["api", "https://api.github.com/x"],
        ] {
            #expect(try gh.secret(["gh"] + words) == "s-first", "\(words)")
        }
        #expect(try gh.secret(["gh", "-R", "a/b"], ["GH_HOST": "ghe.example"]) == nil)
        #expect(try gh.secret(["gh"], ["GH_REPO": "ghe.example/a/b"]) == nil)
        // GitLab's groups have groups.
        let glab = try ProfileHome("glab")
        try glab.set("glab@gitlab.com", secret: "s-first")
        #expect(try glab.secret(["glab", "-R", "group/sub/project", "mr", "list"]) == "s-first")
        let pulumi = try ProfileHome("pulumi")
        try pulumi.set("pulumi@api.pulumi.com", secret: "s-first")
        #expect(try pulumi.secret(["pulumi", "login", "https://p.example"]) == nil)
        #expect(try pulumi.secret(["pulumi", "login", "--cloud-url", "https://p.example"]) == nil)
        #expect(try pulumi.secret(["pulumi", "new", "https://github.com/a/b"]) == "s-first")
        let pypi = try ProfileHome("pypi")
        try pypi.set("pypi@pypi", secret: "s-first")
        for repository in ["pypi", "main", "https://upload.pypi.org/legacy/"] {
            #expect(try pypi.secret(["hatch", "publish", "-r", repository]) == "s-first")
        }
    }

    /// A repository of the file has an endpoint of its own: which one a command means has to be known.
    @Test func repositoriesOfTravis() throws {
        let home = try ProfileHome("travis")
        let file =
            "default_endpoint: https://a.example/\nendpoints:\n"
            + "  https://a.example/:\n    access_token: s-first\n"
            + "  https://b.example/:\n    access_token: s-second\nrepos:\n"
            + "  ada/one:\n    endpoint: https://b.example/\n"
        try home.add(file)
        for (words, secret) in [
            (["-r", "ada/one"], "s-second"), (["--repo=ada/one"], "s-second"),
            (["-Rada/one"], "s-second"), (["-r", "ada/other"], "s-first"),
            (["-r", "ada/one", "--api-endpoint", "https://a.example"], "s-first"),
            (["--com", "-r", "ada/one"], nil), ([], nil),
            (["-e", "https://b.example"], "s-second"),
        ] as [([String], String?)] {
            #expect(try home.secret(["travis", "logs"] + words) == secret, "\(words)")
        }
        #expect(try home.secret(["travis", "whoami"]) == "s-first")
        #expect(try home.secret(["travis", "monitor", "-r", "ada/one"]) == "s-first")
        #expect(
            try home.secret(["travis", "logs"], ["TRAVIS_ENDPOINT": "https://b.example"])
                == "s-second")
        // All have the usual one.
        try home.write(
            file.replacing("endpoint: https://b.example/", with: "endpoint: https://a.example/"),
            to: ".travis/config.yml")
        #expect(try home.secret(["travis", "logs"]) == "s-first")
    }

    /// The account that a section of .edgerc acts on goes with its secret.
    @Test func accountKeysOfAkamai() throws {
        let home = try ProfileHome("akamai")
        let login = "client_secret = s-first\nclient_token = t\naccess_token = a\nhost = h\n"
        try home.add("[default]\n\(login)[other]\n\(login)account_key = B-1:2\n")
        #expect(
            try home.given(["akamai", "--section", "other"])?
                .hasSuffix("\nhost = h\naccount_key = B-1:2\n") == true)
        #expect(try home.given(["akamai"])?.hasSuffix("\nhost = h\n") == true)
    }

    /// An item without a port is for the usual one.
    @Test(arguments: ["crash", "redis-cli", "vsql"])
    func ports(name: String) throws {
        let home = try ProfileHome(name)
        let scope = try #require(home.profile.scope)
        let port = try #require(scope.port)
        let host = try #require(scope.options.first)
        try home.set(ByteString("\(name)@a.example"), secret: "s-first")
        try home.set(ByteString("\(name)@a.example:7000"), secret: "s-second")
        #expect(try home.secret([name, host, "a.example"]) == "s-first")
        #expect(try home.secret([name, host, "a.example:\(port.fallback)"]) == "s-first")
        #expect(try home.secret([name, host, "a.example:7000"]) == "s-second")
        #expect(try home.secret([name, host, "https://u:p@a.example:7001/x"]) == nil)
        for option in port.options {
            let words = [name, host, "a.example", option]
            #expect(try home.secret(words + [port.fallback]) == "s-first", "\(option)")
            #expect(try home.secret(words + ["7000"]) == "s-second", "\(option)")
            #expect(try home.secret(words + ["7001"]) == nil, "\(option)")
            #expect(try home.secret([name, option, "7000"]) == nil, "\(option)")
        }
        for variable in port.variables {
            #expect(
                try home.secret([name, host, "a.example"], [variable: "7000"]) == "s-second")
        }
        for option in port.sockets {
            #expect(try home.secret([name, host, "a.example", option, "/run/x"]) == nil)
        }
        let fallback = try #require(scope.fallback)
        try home.set(ByteString("\(name)@\(fallback)"), secret: "s-bob")
        #expect(try home.secret([name]) == "s-bob")
        for option in port.options {
            #expect(try home.secret([name, option, "7000"]) == nil)
            #expect(try home.secret([name, option, port.fallback]) == "s-bob")
        }
    }

    @Test func socketsAndClusters() throws {
        let home = try ProfileHome("redis-cli")
        try home.set("redis-cli@/run/redis.sock", secret: "s-first")
        try home.set("redis-cli@[::1]:7000", secret: "s-second")
        #expect(try home.secret(["redis-cli", "-s", "/run/redis.sock"]) == "s-first")
        #expect(try home.secret(["redis-cli", "-h", "::1", "-p", "7000"]) == "s-second")
        #expect(try home.secret(["redis-cli", "-u", "redis://[::1]:7000/0"]) == "s-second")
        #expect(try home.secret(["redis-cli", "--cluster", "info", "[::1]:7000"]) == "s-second")
    }

    @Test func flags() throws {
        let home = try ProfileHome("travis")
        try home.set("travis@api.travis-ci.com", secret: "s-first")
        try home.set("travis@travis.example", secret: "s-second")
        try home.write(
            "enterprise:\n  default: https://travis.example/api\n  b: https://b.example/api\n",
            to: ".travis/config.yml")
        for words in [[], ["--com"], ["--pro"], ["token", "--org", "--com"]] {
            #expect(try home.secret(["travis"] + words) == "s-first", "\(words)")
        }
        for words in [["-X"], ["--enterprise"], ["-X", "token"], ["--enterprise=default"]] {
            #expect(try home.secret(["travis"] + words) == "s-second", "\(words)")
        }
        for words in [["--org"], ["token", "--staging"], ["-X", "b"], ["--enterprise=c"]] {
            #expect(try home.secret(["travis"] + words) == nil, "\(words)")
        }
    }

    private static let addresses = ToolProfile.all.filter { !$0.addresses.isEmpty }.map(\.name)

    /// A secret that is stored with an address goes only there.
    @Test(arguments: addresses)
    func anAddress(name: String) throws {
        let home = try ProfileHome(name)
        let profile = home.profile
        let address = try #require(profile.addresses.first)
        #expect(profile.values.contains(.part(address.part)))
        let fallback = profile.scope?.fallback?.uppercased() ?? ""
        let variables = address.variables.map { $0.replacing("*", with: fallback) }
        let account: ByteString? = profile.needsAccount ? "a" : nil
        try home.set(ByteString(name), account, secret: "s-first")
        for part in profile.requiredParts where part != address.part {
            try home.set(ByteString("\(name)/\(part)"), account, secret: "x")
        }
        let program = profile.programs.first ?? "program"
        let isRequired = profile.requiredParts.contains(address.part)
        // Without one, it is for any.
        if !isRequired {
            for variable in variables {
                let given = try home.secret([program], [variable: "https://b.example"])
                #expect(given == "s-first", "\(variable)")
            }
        }
        try home.set(ByteString("\(name)/\(address.part)"), account, secret: "https://a.example")
        // The program may know it from its file alone, which is not there.
        let isPassed = address.usual == nil || profile.passes(.part(address.part))
        #expect(try home.secret([program]) == (isPassed ? "s-first" : nil))
        for (asked, secret) in [
            ("https://a.example", "s-first"), ("https://A.example:443/", "s-first"),
            ("https://b.example", nil), ("http://a.example", nil), ("https://a.example:8443", nil),
        ] as [(String, String?)] {
            for option in address.options {
                #expect(
                    try home.secret([program, "a", option, asked]) == secret, "\(option) \(asked)")
                #expect(try home.secret([program, "\(option)=\(asked)"]) == secret)
            }
            for variable in variables {
                #expect(
                    try home.secret([program], [variable: asked]) == secret, "\(variable) \(asked)")
            }
        }
        guard profile.scope == nil else {
            return
        }
        // Of several, it is the one for the address.
        try home.set(ByteString(name), "other", secret: "s-second")
        for part in profile.requiredParts where part != address.part {
            try home.set(ByteString("\(name)/\(part)"), "other", secret: "x")
        }
        try home.set(
            ByteString("\(name)/\(address.part)"), "other", secret: "https://b.example")
        for variable in variables {
            #expect(try home.secret([program], [variable: "https://b.example"]) == "s-second")
        }
    }

    /// Of a file with two addresses, it is the entry with the address that the program is asked for.
    @Test(arguments: ["databricks", "influx", "grafanactl", "axiom", "qcloud"])
    func theEntryOfAnAddress(name: String) throws {
        let home = try ProfileHome(name)
        try home.set(ByteString("\(name)@first"), secret: "s-first")
        try home.set(ByteString("\(name)@second"), secret: "s-second")
        let address = try #require(home.profile.addresses.first)
        try home.set(ByteString("\(name)@first/\(address.part)"), secret: "https://a.example")
        try home.set(ByteString("\(name)@second/\(address.part)"), secret: "https://b.example")
        for variable in address.variables {
            for (asked, secret) in [("a", "s-first"), ("b", "s-second"), ("c", nil)] {
                #expect(
                    try home.secret([name], [variable: "https://\(asked).example"]) == secret)
            }
            let scope = try #require(home.profile.scope?.options.first)
            let both = [variable: "https://b.example"]
            #expect(try home.secret([name, scope, "first"], both) == nil)
        }
    }

    /// The address that a file has next to a secret goes with it.
    @Test(arguments: [
        (
            "atlas",
            "[default]\npublic_api_key = \"p\"\nprivate_api_key = \"s-first\"\n"
                + "ops_manager_url = \"https://a.example/\"\n"
        ),
        ("doppler", "scoped:\n  /:\n    token: s-first\n    api-host: https://a.example\n"),
        (
            "qcloud",
            "current_context: a\ncontexts:\n  - name: a\n    endpoint: a.example:443\n"
                + "    api_key: s-first\n"
        ),
        ("scw", "access_key: A\nsecret_key: s-first\napi_url: https://a.example\n"),
        ("koyeb", "token: s-first\nurl: https://a.example\n"),
        ("render", "api:\n    key: s-first\n    host: https://a.example/\n"),
        ("turso", #"{"token":"s-first","baseURL":"https://a.example"}"#),
        (
            "modal",
            "[default]\ntoken_id = \"i\"\ntoken_secret = \"s-first\"\nserver_url = \"https://a.example\"\n"
        ),
        ("snowsql", "[connections]\naccountname = a.example\nusername = u\npassword = s-first\n"),
    ])
    func anAddressNextToASecret(name: String, text: String) throws {
        let home = try ProfileHome(name)
        try home.add(text)
        let address = try #require(home.profile.addresses.first)
        #expect(try home.secret([name]) == "s-first")
        for (asked, secret) in [("a.example", "s-first"), ("b.example", nil)] as [(_, String?)] {
            for option in address.options {
                #expect(try home.secret([name, option, asked]) == secret, "\(option) \(asked)")
            }
            for variable in address.variables {
                #expect(try home.secret([name], [variable: asked]) == secret, "\(variable)")
            }
        }
    }

    /// The project's file is in the folder that an option names.
    @Test func projectsOfPulumi() throws {
        let home = try ProfileHome("pulumi")
        try home.set("pulumi@api.pulumi.com", secret: "s-first")
        try home.write("name: a\nbackend:\n  url: https://p.example\n", to: "a/Pulumi.yaml")
        try home.write("name: b\n", to: "b/Pulumi.yaml")
        for (folder, secret) in [("a", nil), ("b", "s-first")] as [(_, String?)] {
            for option in ["-C", "--cwd"] {
                let words = ["pulumi", option, "\(home.folder.path)/\(folder)", "up"]
                #expect(try home.secret(words) == secret, "\(option) \(folder)")
            }
        }
    }

    /// A file of properties comes before the others, and has no usual place.
    @Test func propertiesOfSentry() throws {
        let home = try ProfileHome("sentry-cli")
        try home.add("[auth]\ntoken=s-first\n[defaults]\nurl=https://a.example/\n")
        try home.write("defaults.org=x\ndefaults.url=https://a.example/\n", to: "a.properties")
        try home.write("defaults.url = https://b.example/\n", to: "b.properties")
        for (file, secret) in [("a", "s-first"), ("b", nil), ("missing", "s-first")] {
            let place = "\(home.folder.path)/\(file).properties"
            #expect(
                try home.secret(["sentry-cli", "releases"], ["SENTRY_PROPERTIES": place]) == secret,
                "\(file)")
        }
    }

    /// A server in a word with other options, and in an option that is cut short.
    @Test(arguments: [["-sNh", "a.example"], ["-vvvha.example"], ["--hos=a.example"]])
    func bundledOptions(words: [String]) throws {
        let home = try ProfileHome("mysql")
        try home.add("[client]\nhost = a.example\nuser = u\npassword = s-first\n")
        #expect(try home.secret(["mysql"] + words) == "s-first")
        let others = words.map { $0.replacing("a.example", with: "b.example") }
        #expect(try home.secret(["mysql"] + others) == nil)
        #expect(try home.secret(["mysqldump", "-eha.example"]) == nil)
    }

    /// The user's own variable stays, and none of another account joins it.
    @Test(arguments: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"])
    func variablesOfTheUser(name: String) throws {
        let home = try ProfileHome("aws")
        try home.set("aws@default", "AKIA", secret: "s-first")
        #expect(try home.secret(["aws", "s3", "ls"], [name: ""]) == "s-first")
        #expect(try home.given(["aws", "s3", "ls"], [name: "own"]) == nil)
        #expect(try home.secret(["aws", "s3", "ls"], [name: "own"], account: "AKIA") == "s-first")
    }

    /// The program takes another secret than Lanyard's.
    @Test func otherSecrets() throws {
        let profiles = ToolProfile.all.filter { !$0.rivals.isEmpty }
        #expect(profiles.count > 4)
        for profile in profiles {
            let home = try ProfileHome(profile.name)
            let scope = profile.scope?.fallback.map { "@\($0)" } ?? ""
            try home.set(ByteString("\(profile.name)\(scope)"), "a", secret: "s-first")
            let program = profile.programs.first ?? "program"
            #expect(try home.secret([program]) == "s-first")
            for rival in profile.rivals {
                let options = rival.filter { $0.hasPrefix("-") }
                let variables = rival.filter { !$0.hasPrefix("-") }
                let all = Dictionary(uniqueKeysWithValues: variables.map { ($0, "x") })
                #expect(try home.given([program] + options.flatMap { [$0, "x"] }, all) == nil)
                #expect(try home.given([program] + options.map { "\($0)=x" }, all) == nil)
                for variable in variables {
                    #expect(
                        try home.secret([program], all.merging([variable: ""]) { $1 }) == "s-first")
                }
            }
        }
    }

    /// The program reads another file, or none: Lanyard's own can't be added.
    @Test func rivals() throws {
        for profile in ToolProfile.all {
            for rival in profile.files.flatMap(\.rivals) {
                let home = try ProfileHome(profile.name)
                let scope = profile.scope?.fallback.map { "@\($0)" } ?? ""
                try home.set(ByteString("\(profile.name)\(scope)"), "a", secret: "s-first")
                for part in profile.requiredParts {
                    try home.set(ByteString("\(profile.name)\(scope)/\(part)"), "a", secret: "x")
                }
                let program = try #require(profile.programs.first)
                #expect(try home.secret([program]) == "s-first")
                #expect(try home.given([program, rival, "/x"]) == nil, "\(rival)")
                #expect(try home.given([program, "\(rival)=/x"]) == nil, "\(rival)")
            }
            // One file with the option is enough.
            for file in profile.files {
                if case .argument(let argument) = file.place {
                    #expect(file.rivals.contains { argument.hasPrefix($0) }, "\(profile.name)")
                }
            }
        }
    }
}
