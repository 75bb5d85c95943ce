import Testing
import ToolCatalog

@Suite("short options in one word, and long ones cut short")
struct OptionWordsTests {
    @Test(
        arguments: [
            ("mysql", ["-sNh", "db2"], ["-sN", "-h", "db2"], nil),
            ("mysql", ["-vvvhdb2"], ["-vvv", "-hdb2"], nil),
            ("mysqldump", ["-Ah", "db2"], ["-A", "-h", "db2"], nil),
            ("mysql", ["-hAS"], ["-hAS"], nil), ("mysql", ["-psNh"], ["-psNh"], nil),
            ("mysql", ["-eshow"], ["-eshow"], nil), ("mysqldump", ["-eh"], ["-eh"], "-h"),
            ("mysqladmin", ["-c5"], ["-c5"], nil), ("mysql", ["-10"], ["-10"], nil),
            ("mysql", ["--hos=db2"], ["--host=db2"], nil),
            ("mysql", ["--hos", "db2", "--", "-sNh"], ["--host", "db2", "--", "-sNh"], nil),
            ("twine", ["upload", "--repos=x"], ["upload", "--repository=x"], nil),
            ("maturin", ["--config", "a=b"], ["--config", "a=b"], nil),
            ("gem", ["push", "--hos", "h"], ["push", "--host", "h"], nil),
            ("twilio", ["-vp", "x"], ["-vp", "x"], "-p"), ("twilio", ["-vo"], ["-vo"], nil),
            ("twilio", ["--prof=x"], ["--prof=x"], nil),
            ("mvn", ["-pl", "gs"], ["-pl", "gs"], nil),
            ("vault", ["-format=a"], ["-format=a"], nil),
            ("gh", ["api", "-XPOST", "-fbody=Re: x"], ["api", "-XPOST", "-fbody=Re: x"], nil),
        ] as [(String, [String], [String], String?)])
    func areSeparated(program: String, words: [String], all: [String], unclear: String?) throws {
        let separated = try #require(ToolProfile(program: program)).separated(words, of: program)
        #expect(separated.words == all)
        #expect(separated.unclear == unclear)
    }

    @Test func variablesOfTheUser() throws {
        func own(_ name: String) throws -> [String] {
            try #require(ToolProfile(program: name)).ownVariables
        }
        #expect(
            try own("aws") == ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"])
        #expect(try own("restic") == ["RESTIC_PASSWORD_FILE"])
        // Names of servers and users choose among the items.
        #expect(try own("psql") == [])
        #expect(try own("influx") == ["INFLUX_TOKEN"])
    }
}
