import KeychainServices
import Testing
import ToolCatalog

@testable import LanyardCommand

/// The lines of libpq's password file.
extension ProfileScopeTests {
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

    /// libpq takes the first password for a user: several are a choice, and several users without that of the system, too.
    @Test func severalUsers() throws {
        let home = try ProfileHome("psql")
        try home.set("psql", "ada", secret: "s-first")
        try home.set("psql", "bob", secret: "s-second")
        let asked = ["psql", "-h", "a.example"]
        let error = #expect(throws: KeychainError.self) { try home.given(asked) }
        #expect(error?.status == .param && error?.reason == "2 items match 'psql': 'ada'; 'bob'")
        for words in [["-U", "bob"], ["-d", "user=bob"], ["postgres://bob@a.example"]] {
            let given = try home.given(asked + words)
            #expect(given == "PGUSER=bob\n*:*:*:bob:s-second\n", "\(words)")
        }
        #expect(try home.given(asked, ["PGUSER": "carl"]) == nil)
        let chosen = try home.given(asked, account: "ada")
        #expect(chosen == "PGUSER=ada\n*:*:*:ada:s-first\n")
        // libpq chooses by the user, and a service may name one.
        for (user, variables) in [("ada", [:]), ("carl", ["PGSERVICE": "s"])] {
            let lines = try home.given(asked, variables, user: user)?
                .split(separator: "\n").sorted()
            #expect(lines == ["*:*:*:ada:s-first", "*:*:*:bob:s-second"], "\(user)")
        }
        let bob = ItemAttributes {
            $0.service = "psql"
            $0.account = "bob"
        }
        try home.keychain.update(
            Query(.genericPassword, bob), ItemAttributes { $0.type = ItemAttributes.defaultType })
        #expect(try home.given(asked) == "PGUSER=bob\n*:*:*:bob:s-second\n")
        #expect(try home.secret(asked + ["-U", "ada"]) == "s-first")
        // An item of the server comes before those of any.
        try home.set("psql@a.example:5432:db", "carl", secret: "s-third")
        let given = try home.given(asked + ["db"], user: "")
        #expect(given == "PGUSER=carl\na.example:5432:db:carl:s-third\n")
    }

    /// A password in the arguments comes before that in a file, and a file there is another one.
    @Test(arguments: [
        ["postgresql://u:own@a.example/db"], ["host=a.example user=u password=own dbname=db"],
        ["postgresql://u@a.example/db?passfile=/x"],
        ["-h", "a.example", "-U", "u", "-d", "password=own dbname=db"],
    ])
    func ownPasswords(words: [String]) throws {
        let home = try ProfileHome("psql")
        try home.add("a.example:5432:db:u:s-first\n")
        #expect(try home.given(["psql"] + words) == nil)
        let others = words.map {
            $0.replacing(":own", with: ":").replacing("=own", with: "=''")
                .replacing("=/x", with: "=")
        }
        #expect(try home.secret(["psql"] + others) == "s-first")
    }

    @Test func severalGroupsOfOneUser() throws {
        let home = try ProfileHome("psql")
        try home.add("a.example:5432:db:u:s-first\n")
        var attributes = ItemAttributes()
        attributes.service = "psql@a.example:5432:db"
        attributes.account = "u"
        attributes.accessGroup = "work"
        try home.keychain.add(.genericPassword, attributes, secret: Secret("s-second"))
        for words in [["-U", "u"], []] {
            let error = #expect(throws: KeychainError.self) {
                try home.given(["psql", "-h", "a.example"] + words + ["db"])
            }
            #expect(error?.status == .param, "\(words)")
        }
        #expect(try home.given(["psql", "-h", "b.example"]) == nil)
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
}
