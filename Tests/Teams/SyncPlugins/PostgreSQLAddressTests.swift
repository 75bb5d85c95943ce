import LanyardSecrets
@testable import SyncPlugins
import Testing

@Suite("addresses of PostgreSQL servers") struct PostgreSQLAddressTests {
    private func variables(_ address: String) throws -> [String: String] {
        try PostgreSQLAddress(address, home: nil).variables
    }

    @Test(arguments: [
        "postgres://ada@db.example.com/team", "postgresql://db.example.com:5433/team",
        "postgres://ada@127.0.0.1,db.example.com/team", "postgres://ada@127.0.0.1.example.com/t",
        "postgres:///team?host=db.example.com", "postgres://ada@127.1/team",
    ]) func aHostElsewhereHasToProveItself(_ address: String) throws {
        #expect(try variables(address)["PGSSLMODE"] == "verify-full")
    }

    @Test(arguments: [
        "postgres:///team", "postgres://ada@localhost/team", "postgres://ada@[::1]:5432/team",
        "postgres://ada@127.0.0.1/team", "postgres://%2Frun%2Fpostgresql/team",
        "postgres:///team?host=/run/postgresql",
    ]) func theMachineItselfNeedsNoCertificate(_ address: String) throws {
        #expect(try variables(address)["PGSSLMODE"] == nil)
    }

    @Test func severalHostsMeanTheOneThatStores() throws {
        #expect(
            try variables("postgres://a@one:5432,two:5433/t")["PGTARGETSESSIONATTRS"]
                == "read-write")
        #expect(try variables("postgres://a@one/t")["PGTARGETSESSIONATTRS"] == nil)
    }

    @Test(arguments: [
        "", "db.example.com", "mysql://db/t", "postgres://a b/t",
        "postgres://a@db/t?sslmode=prefer",
        "postgres://a@db/t?sslmode=disable", "postgres://a@db/t?options=-c%20x",
        "postgres://a@db/t?passfile=/x", "postgres://a@db/t?service=x", "postgres://a@db/t?x",
        "postgres://a@db/t?host=x&host=y", "postgres://a@127.0.0.1/t?host=db&sslmode=disable",
        "postgres://a@db/t?dbname=postgres://x",
    ]) func anythingElseIsRefused(_ address: String) {
        #expect(throws: KeychainError(.param)) { try variables(address) }
    }

    @Test(arguments: ["require", "verify-ca", "verify-full"])
    func theseModesAreEncrypted(_ mode: String) throws {
        _ = try variables("postgres://a@db/t?sslmode=\(mode)")
    }
}

@Suite("The name of an address's password") struct SyncLoginTests {
    @Test(arguments: [
        ("postgres://ada@db.example.org/keys", "postgres://ada@db.example.org/keys"),
        ("postgres://ada@one:1,two:2/keys?sslmode=verify-full", "postgres://ada@one:1/keys"),
        ("postgres://ada@one,two", "postgres://ada@one"),
        ("postgres://ada@one?a=b", "postgres://ada@one"),
        ("https://h/a,b.git?c", "https://h/a,b.git"), ("ada@h:team.git", "ada@h:team.git"),
        ("a?://b", "a?://b"), ("", ""),
    ]) func isTheAddressOfOneHost(_ address: String, _ name: String) {
        #expect(SyncAddress.login(of: address) == name)
    }
}
