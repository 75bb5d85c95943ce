import KeychainServices
import Testing
import ToolProfiles

@testable import LanyardCommand

/// What a program's file binds a secret to stays bound to it: every profile, with a file of two entries whose second is
/// active.
@Suite struct ProfileScopeTests {
    @Test func everyProfileIsHere() {
        let known =
            Set(Self.files.map(\.profile)).union(Self.single.keys).union(Self.others)
            .union(Self.ofUsers)
        for profile in ToolProfile.all {
            let name = profile.name
            #expect((profile.scope != nil) == known.contains(name), "\(name)")
            #expect(
                (profile.scope == nil && !profile.plainText.isEmpty)
                    == (Self.reasons[name] != nil), "\(name)")
        }
    }

    /// The program asked for the first, the second and a third: right, right, none. Without a name it gets the active one's.
    @Test(arguments: files.indices)
    func aFileOfTwoEntries(index: Int) throws {
        let file = Self.files[index]
        let home = try ProfileHome(file.profile)
        try home.add(file.text, number: file.number)
        if let other = file.other {
            try home.write(other.text, to: other.path)
        }
        let scope = try #require(home.profile.scope)
        let program = home.profile.programs.first ?? "program"
        #expect(try home.secret([program, "list"]) == file.active)
        let third = scope.kind == .folder ? "/third" : "third"
        for (name, secret) in [(file.first, "s-first"), (file.second, "s-second"), (third, nil)] {
            for option in scope.options {
                #expect(
                    try home.secret([program, "a", option, name]) == secret, "\(option) \(name)")
                #expect(
                    try home.secret([program, "\(option)=\(name)"]) == secret, "\(option)=\(name)")
                #expect(try home.secret([program, "--", option, name]) == file.active)
            }
            for variable in scope.variables {
                #expect(try home.secret([program], [variable: name]) == secret, "\(variable)")
            }
        }
    }

    @Test(arguments: single.keys.sorted())
    func aFileOfOneHost(name: String) throws {
        let home = try ProfileHome(name)
        let file = try #require(Self.single[name])
        try home.add(file.text)
        let scope = try #require(home.profile.scope)
        let program = home.profile.programs.first ?? "program"
        #expect(try home.secret([program]) == "s-first")
        for option in scope.options {
            #expect(try home.secret([program, option, file.scope]) == "s-first", "\(option)")
            #expect(
                try home.secret([program, option, "https://third.example"]) == nil, "\(option)")
        }
        for variable in scope.variables {
            #expect(try home.secret([program], [variable: file.scope]) == "s-first", "\(variable)")
            #expect(try home.secret([program], [variable: "https://third.example"]) == nil)
        }
    }

    @Test(arguments: ofUsers.sorted())
    func itemsOfUsers(name: String) throws {
        let home = try ProfileHome(name)
        try home.set(ByteString("\(name)@a.example"), secret: "s-first")
        let program = try #require(home.profile.programs.first)
        let option = try #require(home.profile.scope?.options.first)
        #expect(try home.secret([program, option, "a.example"]) == "s-first")
        #expect(try home.secret([program, option, "b.example"]) == nil)
        #expect(try home.secret([program]) == nil)
        try home.set(ByteString(name), secret: "s-second")
        #expect(try home.secret([program, option, "a.example"]) == "s-first")
        #expect(try home.secret([program, option, "b.example"]) == "s-second")
    }

    @Test func groupsOfMySQL() throws {
        let home = try ProfileHome("mysql")
        try home.add("[mysqldump]\npassword = s-first\n[mysql]\nuser = u\npassword = s-second\n")
        #expect(try home.secret(["/usr/bin/mysqldump", "db"]) == "s-first")
        #expect(try home.secret(["mysql"]) == "s-second")
        #expect(try home.secret(["mysqladmin", "ping"]) == nil)
        try home.add("[client]\npassword = s-bob\n[client_x]\npassword = s-third\n")
        #expect(try home.secret(["mysqladmin", "ping"]) == "s-bob")
        #expect(try home.secret(["mysql"]) == "s-second")
        let suffixed = try home.given(["mysqladmin", "--defaults-group-suffix=_x"])
        #expect(suffixed?.contains("s-third") == true)
    }

    /// The host of a group is that of its password, however the program is asked for one.
    @Test func hostsOfMySQL() throws {
        let home = try ProfileHome("mysql")
        try home.add("[client]\nhost = a.example\nuser = u\npassword = s-first\n")
        for words in [[], ["-h", "a.example"], ["-ha.example"], ["--host=A.example", "db"]] {
            #expect(try home.secret(["mysql"] + words) == "s-first", "\(words)")
        }
        for words in [["-h", "b.example"], ["-hb.example"], ["--host", "b.example"]] {
            #expect(try home.secret(["mysqldump"] + words) == nil, "\(words)")
        }
        #expect(try home.secret(["mysql"], ["MYSQL_HOST": "b.example"]) == nil)
    }

    /// A context names a server and a user, and the token is the user's.
    @Test func contextsOfArgoCD() throws {
        let home = try ProfileHome("argocd")
        try home.add(
            "contexts:\n- name: one\n  server: a.example\n  user: ada\n"
                + "- name: two\n  server: b.example\n  user: bob\ncurrent-context: two\n"
                + "users:\n- auth-token: s-first\n  name: ada\n- auth-token: s-second\n  name: bob\n"
        )
        #expect(try home.secret(["argocd", "app", "list"]) == "s-second")
        for (name, server, secret) in [
            ("one", "a.example", "s-first"), ("two", "b.example", "s-second"),
            ("third", "c.example", nil),
        ] {
            #expect(try home.secret(["argocd", "--argocd-context", name]) == secret)
            #expect(try home.secret(["argocd", "--server=\(server)"]) == secret)
            #expect(try home.secret(["argocd"], ["ARGOCD_SERVER": server]) == secret)
        }
    }

    /// cdk's option is for a plugin.
    @Test func optionsOfOneProgram() throws {
        let home = try ProfileHome("aws")
        let file = try #require(Self.files.first { $0.profile == "aws" })
        try home.add(file.text)
        #expect(try home.secret(["eksctl", "get", "-p", "first"]) == "s-first")
        #expect(try home.secret(["cdk", "deploy", "-p", "first"]) == "s-second")
    }

    /// The program's settings name the server: a secret for another one stays here.
    @Test(arguments: [
        (
            "wandb", "machine api.wandb.ai login u password s-first\n", ".config/wandb/settings",
            "[default]\nbase_url = https://w.example\n"
        ),
        (
            "yarn", "npmAuthToken: s-first\n", ".yarnrc.yml",
            "npmRegistryServer: https://y.example\n"
        ),
    ])
    func serversInSettings(name: String, text: String, path: String, setting: String) throws {
        let home = try ProfileHome(name)
        try home.add(text)
        #expect(try home.secret([name]) == "s-first")
        try home.write(setting, to: path)
        #expect(try home.secret([name]) == nil)
    }

    /// A profile without an address is for the usual one.
    @Test(arguments: [
        (
            "atlas", "[default]\npublic_api_key = \"p\"\nprivate_api_key = \"s-first\"\n",
            "MONGODB_ATLAS_OPS_MANAGER_URL", "https://cloud.mongodb.com"
        ),
        ("scw", "access_key: A\nsecret_key: s-first\n", "SCW_API_URL", "https://api.scaleway.com/"),
    ])
    func usualAddresses(name: String, text: String, variable: String, usual: String) throws {
        let home = try ProfileHome(name)
        try home.add(text)
        #expect(try home.secret([name]) == "s-first")
        #expect(try home.secret([name], [variable: usual]) == "s-first")
        #expect(try home.secret([name], [variable: "https://other.example"]) == nil)
    }

    @Test(arguments: ["psql", "ysqlsh"])
    func serversOfPostgreSQL(program: String) throws {
        let home = try ProfileHome(program)
        let (usual, other) = program == "psql" ? ("5432", "5433") : ("5433", "5432")
        let text = "a.example:5432:*:u:s-first\nb.example:6543:db:u:s-second\n"
        if program == "psql" {
            try home.add(text)
        } else {
            try home.set("ysqlsh@a.example:5433:*", "u", secret: "s-first")
            try home.set("ysqlsh@b.example:6543:db", "u", secret: "s-second")
        }
        for words in [
            ["-h", "a.example", "-U", "u"], ["-ha.example"], ["--host=a.example", "x", "u"],
            ["postgresql://u@a.example/x"], ["host=a.example user=u"],
            ["-d", "postgres://a.example"],
            ["-w", "-c", "select 1 = 1", "-h", "a.example"],
        ] {
            #expect(
                try home.given([program] + words) == "PGUSER=u\na.example:\(usual):*:u:s-first\n",
                "\(words)")
        }
        for words in [
            ["-h", "b.example", "-p", "6543", "db"],
            ["postgresql://b.example:6543/db?sslmode=require"],
            ["-d", "host='b.example' port=6543 dbname=db"],
            ["--host", "x,b.example", "--port", "1,6543", "db"],
        ] {
            #expect(try home.secret([program] + words) == "s-second", "\(words)")
        }
        for words in [
            [], ["-h", "127.0.0.1"], ["-h", "a.example", "-p", other],
            ["-h", "b.example", "-p6543", "x"],
            ["postgresql://other@a.example"], ["-h", "a.example", "-U", "other"], ["-h", "/run/x"],
            ["host=c.example", "-h"], ["postgresql://c.example?host=d.example"],
        ] {
            #expect(try home.given([program] + words) == nil, "\(words)")
        }
        #expect(try home.secret([program], ["PGHOST": "a.example"]) == "s-first")
        #expect(try home.secret([program], ["PGHOST": "a.example", "PGUSER": "other"]) == nil)
        // libpq itself keeps these lines to their servers.
        let service = try home.given([program], ["PGSERVICE": "s"])
        #expect(
            service == "PGUSER=u\na.example:\(usual):*:u:s-first\nb.example:6543:db:u:s-second\n"
                || service
                    == "PGUSER=u\nb.example:6543:db:u:s-second\na.example:\(usual):*:u:s-first\n"
        )
        try home.set(ByteString(program), secret: "p:w")
        #expect(try home.given([program, "-h", "c.example"]) == "*:*:*:*:p\\:w\n")
    }

    /// `*` only where the file has it.
    @Test func aLineForAnyServer() throws {
        let home = try ProfileHome("psql")
        try home.add("*:*:*:u:s-first\nlocalhost:5432:db:*:s-second\n")
        #expect(try home.secret(["psql", "-h", "any.example"]) == "s-first")
        // Its user stays with it.
        let given = try home.given(["psql", "-h", "any.example", "-U", "u"]) ?? ""
        #expect(given.hasSuffix("*:*:*:u:s-first\n"), "\(given)")
        #expect(
            try home.given(["psql", "-h", "/run/postgresql", "-d", "db", "-U", "v"])
                == "localhost:5432:db:*:s-second\n")
    }

    /// The first line that matches counts: one after it for less than it never does.
    @Test(arguments: [
        ("*:*:*:*:s-first\na.example:5432:db:u:s-second\n", "*:*:*:*:s-first\n"),
        ("*:*:*:u:s-first\na.example:5432:db:u:s-second\n", "*:*:*:u:s-first\n"),
        ("a.example:*:*:*:s-first\na.example:5432:db:u:s-second\n", "a.example:*:*:*:s-first\n"),
        (
            "a.example:5432:db:u:s-first\n*:*:*:*:s-second\n",
            "a.example:5432:db:u:s-first\n*:*:*:*:s-second\n"
        ),
        (
            "a.example:*:*:u:s-first\n*:5432:db:u:s-second\n*:*:*:u:s-bob\n",
            "a.example:*:*:u:s-first\n*:5432:db:u:s-second\n*:*:*:u:s-bob\n"
        ),
    ])
    func theOrderOfLines(text: String, given: String) throws {
        let home = try ProfileHome("psql")
        try home.add(text)
        let all = try home.given(["psql", "-h", "a.example", "-U", "u", "db"]) ?? ""
        #expect(all.hasSuffix(given), "\(all)")
        #expect(
            all.split(separator: "\n").count { !$0.hasPrefix("PGUSER") }
                == given.split(separator: "\n").count, "\(all)")
    }

    /// The port that a program uses without any is its own.
    @Test func usualPorts() throws {
        for (program, port, other) in [("psql", "5432", "5433"), ("ysqlsh", "5433", "5432")] {
            let home = try ProfileHome(program)
            try home.set(ByteString("\(program)@a.example:\(port):*"), secret: "s-first")
            #expect(try home.secret([program, "-h", "a.example"]) == "s-first")
            #expect(try home.secret([program, "-h", "a.example", "-p", other]) == nil)
        }
    }

    @Test func mavenGetsAllServers() throws {
        let home = try ProfileHome("maven")
        try home.add(
            "<settings><servers>"
                + "<server><id>a</id><username>u</username><password>s-first</password></server>"
                + "<server><id>b</id><username>v</username><password>s-second</password></server>"
                + "</servers></settings>")
        let given = try home.given(["mvn", "deploy"]) ?? ""
        for (id, user, secret) in [("a", "u", "s-first"), ("b", "v", "s-second")] {
            #expect(
                given.contains(
                    "<server><id>\(id)</id><username>\(user)</username><password>\(secret)</password></server>"
                ))
        }
    }

    /// gh's two variables are for different hosts, and it names the active account itself.
    @Test func variablesOfHosts() throws {
        let home = try ProfileHome("gh")
        let file = try #require(Self.files.first { $0.profile == "gh" })
        try home.add(file.text)
        #expect(try home.given(["gh", "api", "x"]) == "GH_TOKEN=s-second\n")
        #expect(
            try home.given(["gh", "api", "--hostname", "ghe.example"])
                == "GH_ENTERPRISE_TOKEN=s-first\n")
        #expect(
            try home.given(["gh", "-R", "ghe.example/a/b"]) == "GH_ENTERPRISE_TOKEN=s-first\n")
        #expect(try home.given(["gh", "-R", "a/b"]) == "GH_TOKEN=s-second\n")
        #expect(try home.given(["gh", "-R", "https://third.example/a/b"]) == nil)
        let lab = try ProfileHome("glab")
        try lab.add("hosts:\n    gitlab.com:\n        token: s-first\n")
        #expect(try lab.given(["glab"]) == "GITLAB_TOKEN=s-first\nGITLAB_HOST=gitlab.com\n")
    }

    /// A user's own item is for any scope; its account may be the name of one.
    @Test func itemsForAnyScope() throws {
        let home = try ProfileHome("hcloud")
        try home.set("hcloud", "a", secret: "s-first")
        #expect(try home.secret(["hcloud", "--context", "third"]) == "s-first")
        try home.set("hcloud", "b", secret: "s-second")
        #expect(try home.secret(["hcloud", "--context", "b"]) == "s-second")
        #expect(throws: KeychainError(.param)) {
            try home.secret(["hcloud", "--context", "third"])
        }
    }

    /// A single secret for a scope is the one if no scope is asked for.
    @Test func theOnlyOne() throws {
        let home = try ProfileHome("hcloud")
        try home.set("hcloud@a", secret: "s-first")
        #expect(try home.secret(["hcloud"]) == "s-first")
        try home.set("hcloud@b", secret: "s-second")
        #expect(try home.secret(["hcloud"]) == nil)
    }

    /// A program gets no secret that has expired.
    @Test func expired() throws {
        let home = try ProfileHome("gh")
        var attributes = ItemAttributes()
        attributes.service = "gh"
        attributes.accessGroup = "git"
        try home.keychain.add(
            .genericPassword, attributes,
            secret: Secret("s-first\npassword_expiry_utc=1000000000"))
        let error = #expect(throws: KeychainError.self) { try home.secret(["gh"]) }
        #expect(error?.status == .itemNotFound && error?.reason == "'gh' has expired")
    }
}
