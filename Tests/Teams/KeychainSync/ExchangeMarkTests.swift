import Foundation
import KeychainServices
import LinuxSystem
import SyncEngine
import SyncConformance
import Testing

@testable import KeychainSync

@Suite struct ExchangeMarkTests {
    /// Two machines that have nothing left to exchange, and whose files are old enough for a mark.
    private func machines(_ server: MemoryServer) async throws -> (Machine, Machine) {
        let (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try ada.add("db", "one")
        try grace.join(ada, "grace")
        for _ in 0..<3 {
            try ada.exchange()
            try grace.exchange()
        }
        let keychain = try FileVersion(at: try #require(ada.place.keychainFile))
        // On a busy machine the exchanges take longer.
        if !keychain.isOlder(thanSeconds: ExchangeMark.quietSeconds, now: SystemCalls.now()) {
            #expect(try !ada.isUpToDate(), "its keychain has just changed")
        }
        try await Task.sleep(for: .seconds(ExchangeMark.quietSeconds + 1))
        for machine in [ada, grace] {
            unlink(machine.place.mark)
            #expect(try machine.exchange().isQuiet)
            #expect(try machine.isUpToDate())
        }
        return (ada, grace)
    }

    @Test func changesOnEitherSideAreExchanged() async throws {
        let server = MemoryServer()
        let (ada, grace) = try await machines(server)

        try grace.set("db", "two")
        #expect(try !grace.isUpToDate())
        try grace.exchange()
        #expect(try !ada.isUpToDate())
        try ada.exchange()
        #expect(try ada.secrets() == ["db": "two"])

        // The keychain is old, but a server that lost something has to get it back.
        try await Task.sleep(for: .seconds(ExchangeMark.quietSeconds + 1))
        let backup = server.backup
        try grace.set("db", "three")
        try grace.exchange()
        server.backup = backup
        #expect(try !grace.isUpToDate())
    }

    /// As after a backup of the server, from which another machine went on.
    @Test func aServerThatIsAsFarAgainWithOtherChangesIsNotTheSame() async throws {
        let server = MemoryServer()
        let (ada, grace) = try await machines(server)
        let before = server.backup
        try ada.set("db", "two")
        try ada.exchange()
        try grace.exchange()
        let head = try server.head()
        try await Task.sleep(for: .seconds(ExchangeMark.quietSeconds + 1))
        #expect(try grace.exchange().isQuiet)
        #expect(try grace.isUpToDate())
        server.backup = before
        try ada.set("db", "three")
        try ada.exchange()
        // On a server that counts what it got at once as one.
        try #require(server.sequence >= head.sequence)
        server.sequence = head.sequence
        server.sequences = server.sequences.mapValues { min($0, head.sequence) }
        try #require(try server.head() == head)
        #expect(try !grace.isUpToDate())
        try grace.exchange()
        #expect(try grace.secrets() == ["db": "three"])
    }

    @Test func onlyTheServerIsAsked() async throws {
        let server = MemoryServer()
        let (ada, _) = try await machines(server)
        let before = try #require(try ada.open().lastExchange)
        let replica = try Data(contentsOf: URL(filePath: ada.place.file))
        try await Task.sleep(for: .seconds(1))
        #expect(try ada.isUpToDate())
        #expect(try #require(try ada.open().lastExchange) > before)
        #expect(try Data(contentsOf: URL(filePath: ada.place.file)) == replica)

        server.isAway = true
        #expect(throws: KeychainError.self) { try ada.isUpToDate() }
        server.isAway = false
        // Another's mark, or a damaged one, is none.
        var bytes = try Data(contentsOf: URL(filePath: ada.place.mark))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(filePath: ada.place.mark))
        #expect(try !ada.isUpToDate())
    }
}
