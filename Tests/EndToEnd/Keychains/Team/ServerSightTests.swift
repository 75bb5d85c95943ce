import Foundation
import TestSupport
import Testing
@testable import EndToEndRig

/// Looks at everything that a server of each kind has: every file, ref, object, table and log, and what is left on its
/// disk. What it may see is in lanyard(7).
@Suite(.timeLimit(.minutes(5))) struct ServerSightTests {
    let machine: TeamMachine
    /// What no server may have, a line each; also in hexadecimal digits.
    let secrets: String

    private static let count = 8

    init() async throws {
        machine = try await TeamMachine("ada-person", device: "ada-device")
        var texts: [String] = []
        for number in 0..<Self.count {
            let (host, account) = ("hidden-host-\(number).example", "hidden-user-\(number)")
            // Of different lengths.
            let secret = "hidden-secret-\(number)-" + String(repeating: "x", count: 7 * number)
            try await machine.home.set(
                "https://\(account)@\(host)/hidden-path", "--label", "hidden-label-\(number)",
                "--keychain", "work", secret: secret)
            texts += [host, account, secret]
        }
        texts += ["hidden-", "hidden-label", "hidden-path", machine.home.path]
        texts += texts.map { $0.utf8.map { String(format: "%02x", $0) }.joined() }
        secrets = try machine.home.write(texts.joined(separator: "\n") + "\n", to: "secrets")
    }

    /// Shares the keychain, and changes items afterwards: the server has old and new ones.
    private func share(_ address: String) async throws {
        try await machine.succeeds(
            "create", address, "--name", "the-team", "--person", "ada-person", "--device",
            "ada-device")
        try await machine.set("hidden-late", "hidden-secret-late")
        try await machine.succeeds("sync")
        expectAnswer(
            try await machine.home.lanyard("remove", "hidden-late", "--keychain", "work"), "")
        try await machine.succeeds("sync")
    }

    /// Searches a folder with all that there is.
    private func expectNothingHidden(
        in folder: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        // What lanyard(7) says that it sees, which shows that the search finds something.
        for name in ["the-team", "ada-person", "ada-device"] {
            let digits = name.utf8.map { String(format: "%02x", $0) }.joined()
            let seen = try await machine.home.command(
                "grep", ["-rail", "-e", name, "-e", digits, folder]
            ).run()
            #expect(seen.status == 0, "\(name)", sourceLocation: sourceLocation)
        }
        let found = try await machine.home.command(
            "grep", ["-raliF", "-f", secrets, folder]
        ).run()
        #expect(found.status == 1, "\(found)", sourceLocation: sourceLocation)
    }

    @Test func aFolder() async throws {
        let folder = "\(machine.home.path)/server"
        try await share(folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files.count == 2)
        #expect(files.allSatisfy { $0.hasSuffix(".team") || $0.hasSuffix(".team.lock") })
        try await expectNothingHidden(in: folder)
    }

    @Test(.needs(.git, .lighttpd)) func aGitServer() async throws {
        try await GitServer.serve(machine.home) { server in
            let login = "\(server.request)username=ada\npassword=right\n"
            #expect(try await machine.home.helper("store", input: login).status == 0)
            try await share(server.url())
            let repository = server.repository()
            let dump = "\(machine.home.path)/dump"
            try await machine.home.shell(
                """
                mkdir "$2"
                cp -r "$1" "$2/files"
                cd "$1"
                git cat-file --batch-all-objects --batch >"$2/objects"
                git for-each-ref --format='%(refname)' | grep -v refs/heads/main >"$2/refs"
                git log --format='%an %ae, %cn %ce, %s' lanyard >"$2/log"
                git ls-tree -r --name-only lanyard >"$2/names"
                git ls-tree -r --format='%(objectsize)' lanyard -- '*/records' >"$2/sizes"
                """, repository, dump)
            try await expectNothingHidden(in: dump)
            func lines(_ name: String) throws -> [String] {
                try String(contentsOfFile: "\(dump)/\(name)", encoding: .utf8)
                    .split(separator: "\n").map(String.init)
            }
            #expect(try lines("refs") == ["refs/heads/lanyard"])
            let author = "Lanyard lanyard@localhost"
            #expect(
                try lines("log").allSatisfy {
                    $0.hasPrefix("\(author), \(author), ")
                        && $0.wholeMatch(of: #/.*, Change [0-9a-f]{32}/#) != nil
                })
            #expect(
                try lines("names").allSatisfy {
                    $0.wholeMatch(
                        of: #/[0-9a-f]{32}/(records/[0-9a-f]{2}/[0-9a-f]{32}\.\d+\.\d+|roster/\d+)/#
                    ) != nil
                })
            // The items, the deleted one and the device's head.
            let records = try lines("names").filter { $0.contains("/records/") }
            let log = try lines("log")
            #expect(records.count == Self.count + 2, "\(records), \(log)")
        }
    }

    @Test(.enabled(if: ScratchPostgreSQL.programs != nil, "there is no PostgreSQL server"))
    func aDatabase() async throws {
        let server = try ScratchPostgreSQL()
        let address = server.address()
        try await machine.home.set(
            address, secret: try #require(ScratchPostgreSQL.passwords["ada"]))
        try await share(address)
        let columns = try server.sql(
            """
            SELECT table_name || ' ' || string_agg(column_name, ' ' ORDER BY ordinal_position)
            FROM information_schema.columns WHERE table_schema = 'public'
            GROUP BY table_name ORDER BY table_name
            """, database: "team")
        #expect(
            columns == """
                lanyard_heads team sequence roster
                lanyard_records team id version sequence content
                lanyard_roster team number entry
                """)
        let sizes = try server.sql(
            """
            SELECT count(*) || ' ' || (count(DISTINCT length(content)) <= 4) FROM lanyard_records
            """, database: "team")
        #expect(sizes == "\(Self.count + 2) true")
        // All databases as text, and everything that is on the disk: also the log of changes.
        try server.shell(
            """
            "$bin/pg_dumpall" -h "$1" -p \(server.port) -U postgres >"$1/data/dump"
            """)
        try await expectNothingHidden(in: "\(server.path)/data")
    }
}
