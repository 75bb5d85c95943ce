import KeychainServices
import Testing
import ToolCatalog

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

    /// A port and a socket of a group are those of its password; a socket is one of this machine.
    @Test func portsAndSocketsOfMySQL() throws {
        let home = try ProfileHome("mysql")
        try home.add("[client]\nhost = a.example\nport = 3307\npassword = s-first\n")
        for (words, secret) in [
            ([], "s-first"), (["-P", "3307"], "s-first"), (["-h", "a.example"], "s-first"),
            (["-P3308"], nil), (["--port=3306"], nil), (["-h", "a.example", "-P", "3306"], nil),
        ] as [([String], String?)] {
            #expect(try home.secret(["mysql"] + words) == secret, "\(words)")
        }
        #expect(try home.secret(["mysql"], ["MYSQL_TCP_PORT": "3306"]) == nil)
        let local = try ProfileHome("mysql")
        try local.add("[client]\nsocket = /run/a.sock\npassword = s-first\n")
        for (words, secret) in [
            ([], "s-first"), (["-S", "/run/a.sock"], "s-first"), (["-h", "localhost"], "s-first"),
            (["--socket=/run/b.sock"], nil), (["-h", "b.example"], nil),
        ] as [([String], String?)] {
            #expect(try local.secret(["mysql"] + words) == secret, "\(words)")
        }
        #expect(try local.secret(["mysql"], ["MYSQL_UNIX_PORT": "/run/b.sock"]) == nil)
    }

    /// A program joins its own group and `client`.
    @Test func joinedGroupsOfMySQL() throws {
        let home = try ProfileHome("mysql")
        try home.add(
            "[client]\nhost = a.example\npassword = s-first\n[mysql]\nhost = b.example\n")
        #expect(try home.secret(["mysql"]) == nil)
        #expect(try home.secret(["mysqldump"]) == "s-first")
        #expect(try home.secret(["mysqldump", "-pown"]) == nil)
        let suffixed = try ProfileHome("mysql")
        try suffixed.add(
            "[client]\nhost = a.example\npassword = s-first\n"
                + "[client_b]\nhost = b.example\npassword = s-second\n")
        #expect(try suffixed.secret(["mysql"]) == "s-first")
        #expect(try suffixed.secret(["mysql", "--defaults-group-suffix=_b"]) == "s-second")
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
            let options = ["ARGOCD_OPTS": "--grpc-web --server \(server)"]
            #expect(try home.secret(["argocd"], options) == secret)
            // The program itself sends the context's token to the other server.
            let other = server == "a.example" ? "b.example" : "a.example"
            let words = ["argocd", "--argocd-context", name, "app", "list", "--server"]
            #expect(try home.secret(words + [server]) == secret)
            #expect(try home.secret(words + [other]) == nil)
        }
    }

    /// Of two users of one server it is that of the current context.
    @Test func usersOfAServerOfArgoCD() throws {
        let home = try ProfileHome("argocd")
        try home.add(
            "contexts:\n- name: one\n  server: a.example\n  user: ada\n"
                + "- name: two\n  server: a.example\n  user: bob\n"
                + "- name: three\n  server: c.example\n  user: bob\ncurrent-context: one\n"
                + "users:\n- auth-token: s-first\n  name: ada\n- auth-token: s-second\n  name: bob\n"
        )
        #expect(try home.secret(["argocd", "--server", "a.example"]) == "s-first")
        #expect(
            try home.secret(["argocd", "--argocd-context=two", "--server=a.example:443"])
                == "s-second")
        try home.write(
            "contexts:\n- name: one\n  server: a.example\n  user: ada\n"
                + "- name: two\n  server: a.example\n  user: bob\n", to: ".argocd/config")
        #expect(try home.secret(["argocd", "--server", "a.example"]) == nil)
    }

    /// A section of .pypirc is for its repository, and has its own user.
    @Test func repositoriesOfPypirc() throws {
        let home = try ProfileHome("pypi")
        try home.add(
            "[distutils]\nindex-servers = pypi first\n[pypi]\npassword = s-second\n"
                + "[first]\nrepository = https://a.example/legacy/\nusername = ada\npassword = s-first\n"
        )
        let mine = try home.given(["twine", "upload", "-r", "first"]) ?? ""
        #expect(mine.contains("TWINE_USERNAME=ada\nTWINE_PASSWORD=s-first\n"))
        let usual = try home.given(["twine", "upload", "x"]) ?? ""
        #expect(usual.contains("TWINE_USERNAME=__token__\nTWINE_PASSWORD=s-second\n"))
        for address in ["https://a.example/legacy/", "https://a.example/legacy"] {
            #expect(try home.secret(["hatch", "publish", "-r", address]) == "s-first")
        }
        #expect(try home.secret(["uv", "publish", "--publish-url", "https://b.example"]) == nil)
        let other = try ProfileHome("pypi")
        try other.add(
            "[pypi]\nrepository = https://a.example\npassword = s-first\n"
                + "[testpypi]\npassword = s-second\n")
        #expect(try other.secret(["twine", "upload"]) == "s-first")
        // It knows nothing of the file.
        #expect(try other.secret(["uv", "publish"]) == nil)
        let test = ["--repository-url", "https://test.pypi.org/legacy/"]
        #expect(try other.secret(["twine", "upload"] + test) == "s-second")
    }

    /// viper reads names in any letter case.
    @Test(arguments: [
        ("doctl", "context: Work\nauth-contexts:\n  Work: s-first\n", "--context"),
        ("stripe", "[Work]\ntest_mode_api_key = \"s-first\"\n", "-p"),
    ])
    func namesInAnyCase(name: String, text: String, option: String) throws {
        let home = try ProfileHome(name)
        try home.add(text)
        for asked in ["work", "Work", "WORK"] {
            #expect(try home.secret([name, "a", option, asked]) == "s-first", "\(asked)")
        }
        try home.set(ByteString("\(name)@Own"), secret: "s-second")
        #expect(try home.secret([name, "a", option, "Own"]) == "s-second")
        #expect(try home.secret([name, "a", option, "other"]) == nil)
    }

    /// twilio has had two names for its active profile.
    @Test(arguments: ["activeProfile", "activeProject"])
    func activeProfilesOfTwilio(key: String) throws {
        let home = try ProfileHome("twilio")
        let file = try #require(Self.files.first { $0.profile == "twilio" })
        try home.add(file.text.replacing("activeProject", with: key))
        #expect(try home.secret(["twilio", "phone-numbers:list"]) == "s-second")
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

    /// A secret of a file without an address is for the usual one.
    @Test(
        arguments: ToolProfile.all.filter { $0.addresses.first?.usual != nil && $0.scope != nil }
            .map(\.name))
    func usualAddresses(name: String) throws {
        let home = try ProfileHome(name)
        let address = try #require(home.profile.addresses.first)
        let usual = try #require(address.usual)
        guard address.usualNextTo == nil else {
            return
        }
        if let file = Self.files.first(where: { $0.profile == name }) {
            try home.add(file.text, number: file.number)
        } else {
            try home.set(
                ByteString("\(name)@\(home.profile.scope?.fallback ?? "")"), secret: "s-second")
        }
        let program = home.profile.programs[0]
        for asked in [usual, usual.hasSuffix("/") ? String(usual.dropLast()) : "\(usual)/"] {
            for variable in address.variables {
                #expect(try home.secret([program], [variable: asked]) == "s-second", "\(asked)")
            }
        }
        for variable in address.variables {
            #expect(try home.secret([program], [variable: "https://other.example"]) == nil)
        }
        for option in address.options {
            #expect(try home.secret([program, option, usual]) == "s-second")
            #expect(try home.secret([program, option, "https://other.example"]) == nil)
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
                == "GH_ENTERPRISE_TOKEN=s-first\nGH_HOST=ghe.example\n")
        #expect(
            try home.given(["gh", "-R", "ghe.example/a/b"])
                == "GH_ENTERPRISE_TOKEN=s-first\nGH_HOST=ghe.example\n")
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
