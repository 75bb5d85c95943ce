import TestSupport
import Testing
@testable import EndToEndRig

/// Two people share a keychain through a real PostgreSQL server: by SCRAM, over TLS with a certificate that is checked,
/// and each with an account that has few rights.
@Suite(
    .enabled(if: ScratchPostgreSQL.programs != nil, "there is no PostgreSQL server"),
    .timeLimit(.minutes(5)))
struct PostgreSQLTeamTests {
    private func store(_ address: String, of account: String, in home: ScratchHome) async throws {
        let password = try #require(ScratchPostgreSQL.passwords[account])
        try await home.set(String(address.prefix { $0 != "?" }), secret: password)
    }

    @Test func aTeamOutlivesItsServersCrash() async throws {
        let server = try ScratchPostgreSQL()
        let owners = server.address(server.verified)
        let graces = server.address(account: "grace", server.verified)
        let (ada, grace) = (try await TeamMachine("ada"), try await TeamMachine("grace"))
        try await ada.set("db", "one")

        // Without the password, and then without tables and rights.
        let early = try await grace.team("create", graces)
        #expect(early.status == 51)
        #expect(early.errorText.contains("hint: store its password: lanyard set 'postgres://"))
        try await store(graces, of: "grace", in: grace.home)
        let refused = try await grace.team("create", graces)
        #expect(refused.status == 195, "\(refused)")
        let hint = "lanyard team init 'postgres://OWNER@127.0.0.1:\(server.port)/team"
        #expect(refused.errorText.contains(hint))
        #expect(refused.errorText.contains("' --for grace"))
        #expect(try await grace.team("status").status == 50)

        // The database's owner prepares it.
        try await store(owners, of: "ada", in: ada.home)
        #expect(
            try await ada.home.lanyard("team", "init", owners, "--for", "nobody").status == 64)
        let prepared = try await ada.home.lanyard("team", "init", owners, "--for", "grace")
        #expect(prepared.status == 0 && prepared.output.isEmpty, "\(prepared)")
        #expect(prepared.errorText.contains("hint: lanyard team create '\(graces)'\n"))
        let rights = try server.sql(
            """
            SELECT string_agg(name, ', ' ORDER BY name) FROM (
            SELECT table_name || ' ' || privilege_type AS name
            FROM information_schema.table_privileges WHERE grantee = 'grace' UNION ALL
            SELECT table_name || ' ' || privilege_type || ' ' || column_name
            FROM information_schema.column_privileges
            WHERE grantee = 'grace' AND privilege_type = 'UPDATE') AS rights
            """, database: "team")
        #expect(
            rights == """
                lanyard_heads INSERT, lanyard_heads SELECT, lanyard_heads UPDATE roster, \
                lanyard_heads UPDATE sequence, lanyard_records INSERT, lanyard_records SELECT, \
                lanyard_records UPDATE content, lanyard_records UPDATE sequence, \
                lanyard_records UPDATE version, lanyard_roster INSERT, lanyard_roster SELECT
                """)

        try await ada.create(owners)
        try await grace.join(ada, graces)
        #expect(try await grace.secret("db") == "one")
        #expect(try server.sql("SELECT count(*) FROM pg_stat_ssl WHERE NOT ssl") != "")

        // Both change the same item while there is no server.
        try server.kill()
        try await ada.set("db", "ada's")
        try await grace.set("db", "grace's")
        try await grace.set("api", "two")
        let away = try await grace.team("sync")
        #expect(away.status == 53, "\(away)")
        #expect(away.errorText.contains("can't be reached: Connection refused\n"), "\(away)")
        #expect(try await grace.secret("db") == "grace's")
        try server.start()
        try await grace.succeeds("sync")
        try await ada.succeeds("sync")
        try await grace.succeeds("sync")
        #expect(try await ada.secret("api") == "two")
        let winner = try await ada.secret("db")
        #expect(try await grace.secret("db") == winner)
        let history = try await ada.home.json("history", "--json", "db", "--keychain", "work")
        #expect(history.elements.count { $0.members["lost"] == true } == 1)
    }
}
