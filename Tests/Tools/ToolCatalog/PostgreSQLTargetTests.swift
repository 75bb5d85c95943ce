import Testing
import ToolCatalog

@Suite("servers of PostgreSQL")
struct PostgreSQLTargetTests {
    @Test(
        "the server, database and user that arguments and variables name",
        arguments: [
            ("psql", [], [:], "localhost:5432:me"),
            ("psql", ["-h", "db", "-p5433", "app", "ada"], [:], "db:5433:app as ada"),
            ("psql", ["--host=db", "-d", "app", "-U", "ada"], [:], "db:5432:app as ada"),
            ("psql", ["--hos=db", "--user", "ada", "--comm", "x"], [:], "db:5432:ada as ada"),
            ("pg_dump", ["--hos", "db", "--dat"], [:], "db:5432:me"),
            ("psql", ["postgresql://ada:x@db:1/app"], [:], "db:1:app as ada"),
            ("psql", ["host=db dbname='a b'"], ["PGUSER": "ada"], "db:5432:a b as ada"),
            ("psql", [], ["PGHOST": "db", "PGDATABASE": "app"], "db:5432:app"),
            ("psql", ["-h", "a,b"], [:], "a:5432, b:5432:me"),
            ("createdb", ["app"], [:], "localhost:5432"), ("psql", ["service=x"], [:], "a service"),
        ] as [(String, [String], [String: String], String)])
    func isAskedFor(
        program: String, words: [String], variables: [String: String], shown: String
    ) {
        let target = PostgreSQLTarget(program, words, systemUser: "me") { variables[$0] }
        #expect(target.shown == shown)
    }

    @Test(
        "a line of the password file is for its server and database alone",
        arguments: [
            ("db:5432:app", true), ("*:*:*", true), ("db:*:app", true), ("db:5433:app", false),
            ("other:5432:app", false), ("db:5432:other", false), ("*:*:other", false),
            ("localhost:5432:app", false), ("db:5432", false),
        ])
    func matches(scope: String, isFor: Bool) {
        let target = PostgreSQLTarget("psql", ["-h", "db", "app"], systemUser: "me") { _ in nil }
        #expect(target.matches(scope) == isFor)
        #expect(target.line == "db:5432:app")
    }

    @Test func aSocketIsOfLocalhost() {
        let target = PostgreSQLTarget("psql", ["-h", "/run", "app"], systemUser: "me") { _ in nil }
        #expect(target.matches("localhost:5432:app"))
        #expect(target.matches("/run:5432:app"))
        #expect(!target.matches("db:5432:app"))
    }

    @Test(
        "a scope covers another one if it is for all that the other one is for",
        arguments: [
            (nil, "db:5432:app", true), ("db:5432:app", nil, false), ("*:*:*", "db:5432:app", true),
            ("db:5432:app", "*:*:*", false), ("db:*:app", "db:5432:app", true),
            ("db:5432:app", "db:5432:app", true), ("db:5432:app", "db:5432:other", false),
            ("db:5432:app", "db:*:app", false),
        ] as [(String?, String?, Bool)])
    func covers(scope: String?, other: String?, isCovered: Bool) {
        #expect(PostgreSQLTarget.covers(scope, other) == isCovered)
    }
}
