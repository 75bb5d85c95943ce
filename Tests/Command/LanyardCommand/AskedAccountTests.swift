import Foundation
import KeychainServices
import TestSupport
import Testing
import ToolCatalog

@testable import LanyardCommand

/// An account that the command, a variable or the program's file names gets no secret of another one.
@Suite struct AskedAccountTests {
    private static let profiles = ToolProfile.all.filter {
        !$0.hasAllItems && !$0.allAccountNames.isEmpty
    }.map(\.name)

    private func home(_ name: String, _ accounts: [String: String]) throws -> ProfileHome {
        let home = try ProfileHome(name)
        for (account, secret) in accounts {
            let account = account.isEmpty ? nil : ByteString(account)
            try home.set(ByteString(name), account, secret: secret)
            for part in home.profile.requiredParts {
                try home.set(ByteString("\(name)/\(part)"), account, secret: "x")
            }
        }
        return home
    }

    @Test func profilesWithNamesOfAccounts() {
        let some: Set = [
            "algolia", "axiom", "crash", "mysql", "newrelic", "qcloud", "redis-cli", "sentry-cli",
            "snow",
            "snowsql", "vsql", "wrangler",
        ]
        #expect(some.isSubset(of: Self.profiles))
        // An option of aws such as `--access-key-id` names a key to change.
        #expect(!Self.profiles.contains("aws"))
    }

    @Test(arguments: profiles)
    func namedAccounts(name: String) throws {
        let home = try home(name, ["ada": "s-first", "bob": "s-second"])
        let only = try self.home(name, ["ada": "s-first"])
        let any = try self.home(name, ["ada": "s-first", "": "s-bob"])
        let program = home.profile.programs.first ?? "program"
        // twine reads `--user` as its `--username`, next to which it gets nothing.
        for option in home.profile.allAccountNames
        where option.hasPrefix("-")
            && !home.profile.rivals.joined().contains(where: { $0.hasPrefix(option) })
        {
            for (account, secret) in [("ada", "s-first"), ("bob", "s-second"), ("carl", nil)] {
                var ways = [[option, account], ["\(option)=\(account)"]]
                if option.count == 2 {
                    ways = [[option, account], ["\(option)\(account)"]]
                }
                for way in ways {
                    #expect(try home.secret([program, "x"] + way) == secret, "\(way)")
                }
            }
            #expect(try only.secret([program, "x", option, "bob"]) == nil, "\(option)")
            #expect(try only.secret([program, "x", option, "bob"], account: "ada") == "s-first")
            #expect(try only.secret([program, "--", option, "bob"]) == "s-first", "\(option)")
            if !home.profile.needsAccount {
                #expect(try any.secret([program, "x", option, "bob"]) == "s-bob", "\(option)")
            }
        }
        for name in home.profile.allAccountNames
        where !name.hasPrefix("-") && !home.profile.ownVariables.contains(name) {
            let variable = name.replacing("*", with: "DEFAULT")
            for (account, secret) in [("ada", "s-first"), ("bob", "s-second"), ("carl", nil)] {
                #expect(try home.secret([program], [variable: account]) == secret, "\(variable)")
            }
            #expect(try only.secret([program], [variable: "bob"]) == nil, "\(variable)")
        }
    }

    /// Files with the name `$` of a user, of all profiles in whose file it is one.
    private static let files: [String: String] = [
        "kaggle-key": #"{"username":"$"}"#, "mysql": "[client]\nuser = $\n",
        "pypi": "[pypi]\nusername = $\n", "snow": "[connections.default]\nuser = \"$\"\n",
        "snowsql": "[connections]\nusername = $\n", "upcloud-password": "username: $\n",
    ]

    @Test func allProfilesWithAUserInAFileAreHere() {
        let all = ToolProfile.all.filter { profile in
            profile.hasUserName && !profile.hasAllItems
                && profile.plainText.contains { $0.keys.contains { $0.holds == .account } }
        }
        #expect(Set(all.map(\.name)) == Set(Self.files.keys))
    }

    @Test(arguments: files.keys.sorted())
    func usersOfFiles(name: String) throws {
        let text = try #require(Self.files[name])
        for accounts in [["ada": "s-first"], ["ada": "s-first", "bob": "s-second"]] {
            let home = try home(name, accounts)
            let program = home.profile.programs.first ?? "program"
            let path = home.profile.plainText[0].path
            var ways = MovedFileTests.ways(home.profile, path, in: home.folder.path)
            ways.append(.init(words: [], variables: [:], place: "\(home.folder.path)/\(path)"))
            for way in ways {
                for user in ["ada", "bob"] {
                    let place = String(way.place.dropFirst(home.folder.path.count + 1))
                    try home.write(text.replacing("$", with: user), to: place)
                    let given = try home.secret([program, "x"] + way.words, way.variables)
                    #expect(given == accounts[user], "\(way) \(user)")
                }
                try FileManager.default.removeItem(atPath: way.place)
            }
        }
    }

    /// The user of all tokens of PyPI is no account.
    @Test func tokensOfPyPI() throws {
        let home = try home("pypi", ["work": "s-first"])
        try home.write("[pypi]\nusername = __token__\n", to: ".pypirc")
        #expect(try home.secret(["twine", "upload"]) == "s-first")
        #expect(try home.secret(["twine"], ["TWINE_USERNAME": "__token__"]) == "s-first")
    }

    /// Of several connections it is the account of the one in use.
    @Test func usersOfConnections() throws {
        let home = try ProfileHome("snow")
        try home.add(
            "default_connection_name = \"a\"\n[connections.a]\nuser = \"ada\"\npassword = \"s-first\"\n"
                + "[connections.b]\nuser = \"bob\"\npassword = \"s-second\"\n")
        for (words, secret) in [
            ([], "s-first"), (["-c", "b"], "s-second"), (["-c", "b", "--user", "ada"], nil),
            (["--user", "bob"], nil), (["--username=ada"], "s-first"),
        ] as [([String], String?)] {
            #expect(try home.secret(["snow", "sql"] + words) == secret, "\(words)")
        }
        let prod = ["SNOWFLAKE_CONNECTIONS_B_USER": "ada"]
        #expect(try home.secret(["snow", "-c", "b"], prod) == nil)
        #expect(try home.secret(["snow"], prod) == "s-first")
    }

    /// An address may have a user, and schemes have digits.
    @Test func addresses() throws {
        let home = try ProfileHome("redis-cli")
        try home.set("redis-cli@a.example", "ada", secret: "s-first")
        for (user, secret) in [
            ("ada:@", "s-first"), ("bob:@", nil), ("", "s-first"),
            // Each has a password of its own.
            ("ada@", nil), (":x@", nil), ("ada:x@", nil),
        ] {
            let words = ["redis-cli", "-u", "redis://\(user)a.example/0"]
            #expect(try home.secret(words) == secret, "\(user)")
        }
        let pulumi = try ProfileHome("pulumi")
        try pulumi.set("pulumi@api.pulumi.com", secret: "s-first")
        #expect(try pulumi.secret(["pulumi", "login"]) == "s-first")
        #expect(try pulumi.secret(["pulumi", "login", "s3://bucket"]) == nil)
    }

    /// Environments and profiles are servers, with a login each.
    @Test(arguments: [
        ("railway", ["RAILWAY_ENV": "staging"], "railway@staging"),
        ("railway", ["RAILWAY_ENV": "Develop"], "railway@dev"),
        ("supabase", ["SUPABASE_PROFILE": "snap"], "supabase@snap"),
    ])
    func environments(name: String, variables: [String: String], item: String) throws {
        let home = try ProfileHome(name)
        try home.add(name == "railway" ? #"{"user":{"token":"s-first"}}"# : "s-first\n")
        #expect(try home.secret([name, "up", "--environment", "staging"]) == "s-first")
        #expect(try home.secret([name], variables) == nil)
        try home.set(ByteString(item), secret: "s-second")
        #expect(try home.secret([name], variables) == "s-second")
    }

    /// A key that the user names is for a host that is known.
    @Test func keysAndHostsOfGem() throws {
        let home = try ProfileHome("gem")
        try home.add("---\n:work: s-first\nhttps://gems.example: s-second\n")
        for (words, secret) in [
            (["--key", "work"], "s-first"),
            (["-k", "work", "--host=https://rubygems.org"], "s-first"),
            (["--host", "https://rubygems.org", "--key", "work"], "s-first"),
            (["-k", "work", "--host", "https://evil.example"], nil),
            (["--host", "https://gems.example"], "s-second"),
            (["--host", "https://gems.example", "--key", "https://gems.example"], "s-second"),
            (["--host", "https://evil.example", "--key", "https://gems.example"], nil),
            (["--host", "https://evil.example"], nil),
        ] as [([String], String?)] {
            #expect(try home.secret(["gem", "push"] + words) == secret, "\(words)")
        }
        let own = ["RUBYGEMS_HOST": "https://corp.example"]
        #expect(try home.secret(["gem", "push", "--key=work"], own) == nil)
        try home.set("gem@work/server", secret: "https://corp.example")
        #expect(try home.secret(["gem", "push", "--key=work"], own) == "s-first")
    }
}
