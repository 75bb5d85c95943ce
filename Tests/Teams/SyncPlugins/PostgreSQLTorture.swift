import Foundation
import TestSupport
import LanyardSecrets
import SyncConformance
import SyncEngine
import Testing

@testable import SyncPlugins

/// What takes longer: many processes, a standby that becomes the server, a full disk.
@Suite(
    .enabled(if: ScratchPostgreSQL.programs != nil, "there is no PostgreSQL server"), .serialized)
struct PostgreSQLTorture {
    private static let team = TransportCase.id(99)

    private static func connect(_ address: String) throws -> PostgreSQLTransport {
        try PostgreSQLTransportTests.connect(address, team)
    }

    @Test func fiftyProcessesLoseNothing() async throws {
        let server = try ScratchPostgreSQL()
        let transport = try Self.connect(server.address())
        try transport.create()
        try TransportCase.begin(transport)
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { [address = server.address()] in
                    await #expect(processExitsWith: .success) { [address = address as String] in
                        let transport = try Self.connect(address)
                        transport.timeLimit = 60_000
                        var writer = RacingWriter(transport)
                        for _ in 0..<4 {
                            try writer.add()
                        }
                    }
                }
            }
        }
        #expect(try RacingWriter.sum(transport) == 200)
    }

    /// With a standby that has to have everything, nothing is lost when it becomes the server. A change that has to
    /// wait for a missing standby ends in time, and so does one whose wait is cancelled.
    @Test func aPromotedStandbyHasEverything() async throws {
        let primary = try ScratchPostgreSQL()
        let both = "postgres://ada@127.0.0.1:\(primary.port),127.0.0.1:"
        let first = try Self.connect(primary.address())
        try first.create()
        try TransportCase.begin(first)
        var standby: ScratchPostgreSQL? = try ScratchPostgreSQL(from: primary)
        try primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try primary.sql("SELECT pg_reload_conf()")
        let transport = try Self.connect("\(both)\(standby!.port)/team")
        var writer = RacingWriter(transport)
        for _ in 0..<20 {
            try writer.add()
        }

        // The standby alone takes no changes, and says why.
        #expect(throws: KeychainError(.readOnly)) {
            try Self.connect(standby!.address()).put([TransportCase.put(7, 0, [])], rosterCount: 1)
        }
        try primary.kill()
        try standby!.sql("SELECT pg_promote()")
        #expect(try RacingWriter.sum(Self.connect(standby!.address())) == 20)
        // The connection to the killed server is gone; the next one finds the new server.
        #expect(throws: KeychainError(.notAvailable)) { try writer.add() }
        try writer.add()
        #expect(try RacingWriter.sum(transport) == 21)

        // It waits for a standby that never comes.
        try standby!.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try standby!.sql("SELECT pg_reload_conf(), pg_sleep(0.5)")
        transport.timeLimit = 1500
        let late = #expect(throws: KeychainError.self) {
            try transport.put([TransportCase.put(7, 0, [1])], rosterCount: 1)
        }
        #expect(late?.reason == "the PostgreSQL server did not answer in time")
        // That one still waits, and has the lock of the head. Cancelled, it is stored on this server alone; the
        // next one waits then in the same way.
        let cancel = Task.detached { [standby] in
            while !Task.isCancelled {
                _ = try? standby?.sql(
                    """
                    SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
                    """)
                usleep(50_000)
            }
        }
        let cancelled = try Self.connect(standby!.address())
        let error = #expect(throws: KeychainError.self) {
            try cancelled.put([TransportCase.put(8, 0, [1])], rosterCount: 1)
        }
        cancel.cancel()
        await cancel.value
        #expect(error?.reason == "the PostgreSQL server warned that a change may be lost")
        standby = nil
    }

    @Test func aFullDiskLosesNothing() throws {
        let mount = "/tmp/lanyard-full-\(getpid())"
        try ScratchGitServer.run("mkdir", [mount])
        defer { rmdir(mount) }
        guard
            (try? ScratchGitServer.run(
                "mount", ["-t", "tmpfs", "-o", "size=120m,mode=755", "none", mount])) != nil
        else {
            try Test.cancel("mounting is not permitted here")
        }
        defer { _ = try? ScratchGitServer.run("umount", ["-l", mount]) }
        try ScratchGitServer.run("chmod", ["777", mount])
        let server = try ScratchPostgreSQL(in: mount)
        let transport = try Self.connect(server.address())
        try transport.create()
        try TransportCase.begin(transport)
        try ScratchGitServer.run(
            "sh", ["-c", "dd if=/dev/zero of=\(mount)/ballast bs=1M count=16 2>/dev/null"])
        var stored: [UInt8: [UInt8]] = [:]
        var failure: KeychainError?
        for number in UInt8(0)..<250 {
            let content = (0..<1_000_000).map { _ in UInt8.random(in: 0...255) }
            do throws(KeychainError) {
                let put = TransportCase.put(number, 0, content)
                guard try transport.put([put], rosterCount: 1) == .stored else {
                    break
                }
                stored[number] = content
            } catch {
                failure = error
                break
            }
        }
        #expect(
            [.diskFull, .notAvailable].contains(failure?.status), "\(String(describing: failure))")
        #expect(!stored.isEmpty)
        try ScratchGitServer.run("rm", ["\(mount)/ballast"])
        // A server without room for its log ends.
        if (try? server.sql("SELECT 1")) != "1" {
            try? server.kill()
            try server.start()
        }
        for (number, content) in stored {
            #expect(try transport.record(TransportCase.id(number))?.content == content)
        }
        let last = try #require(stored.keys.max())
        #expect(
            try transport.put([TransportCase.put(last, 1, [1])], rosterCount: 1) == .stored)
    }
}
