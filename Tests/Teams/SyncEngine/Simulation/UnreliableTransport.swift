import TestSupport
import LanyardSecrets
import SyncConformance

@testable import SyncEngine

/// The way of one device to an honest server, on which everything goes wrong that can: no answer, an answer
/// that is lost, a put that arrives late or twice, and the end of the process at any step.
final class UnreliableTransport: SyncTransport {
    /// The server and what is on the way to it, shared by all devices.
    final class Network {
        let server: any RestorableServer
        /// Puts that the server did not get yet.
        var late: [(puts: [ServerRecord], rosterCount: UInt64)] = []
        /// How many of 100 steps fail.
        var faults = 0
        var random: SeededRandom
        /// What another device does between what this one got and what it gives.
        var race: () -> Void = {}
        private var isRacing = false
        /// How many more puts are refused, because others write all the time.
        private var conflicts = 0
        /// Records that were stored under an older key than the server's roster had.
        private(set) var oldKeys = 0

        init(_ random: SeededRandom, _ server: any RestorableServer) {
            self.random = random
            self.server = server
        }

        /// Lets another device in, now and then.
        ///
        /// - Returns: Whether the put is refused.
        func meetsOthers() -> Bool {
            guard faults > 0 else {
                return false
            }
            if conflicts > 0 {
                conflicts -= 1
                return true
            }
            if !isRacing, random.chance(4) {
                isRacing = true
                race()
                isRacing = false
            }
            if random.next() % 300 == 0 {
                conflicts = random.number(below: 20)
            }
            return false
        }

        func store(
            _ puts: [ServerRecord], _ rosterCount: UInt64
        ) throws(KeychainError) -> PutResult {
            let result = try server.put(puts, rosterCount: rosterCount)
            if result == .stored {
                for put in puts {
                    let generation = put.content[2..<6].reduce(0) { $0 << 8 | UInt32($1) }
                    oldKeys += generation == self.generation ? 0 : 1
                }
            }
            return result
        }

        /// The generation of the key that the server's roster announces.
        private var generation: UInt32 {
            if let count = try? server.head().rosterCount, rosterCount != count,
                let entries = try? server.changes(since: .start).roster,
                let first = try? RosterEntry(entries[0])
            {
                var reading = RosterReading(of: Identifier(digestOf: first.bytes))
                for entry in entries {
                    reading.take(entry)
                }
                (lastGeneration, rosterCount) =
                    ((try? reading.finish().roster.generation) ?? lastGeneration, count)
            }
            return lastGeneration
        }

        private var lastGeneration: UInt32 = 0
        private var rosterCount: UInt64 = 0
    }

    private let network: Network
    /// Gets what the device hears of each put.
    var hear: (PutResult) -> Void = { _ in }

    init(_ network: Network) {
        self.network = network
    }

    private func step<Answer>(
        _ body: () throws(KeychainError) -> Answer
    ) throws(KeychainError) -> Answer {
        if network.random.chance(network.faults) {
            throw KeychainError(.notAvailable)
        }
        let answer = try body()
        if network.random.chance(network.faults) {
            throw KeychainError(.notAvailable)
        }
        return answer
    }

    func head() throws(KeychainError) -> ServerHead {
        try step { () throws(KeychainError) in try network.server.head() }
    }

    func changes(since head: ServerHead) throws(KeychainError) -> ServerChanges {
        try step { () throws(KeychainError) in try network.server.changes(since: head) }
    }

    func record(_ id: Identifier) throws(KeychainError) -> ServerRecord? {
        try step { () throws(KeychainError) in try network.server.record(id) }
    }

    func put(
        _ puts: [ServerRecord], rosterCount: UInt64
    ) throws(KeychainError) -> PutResult {
        let result = try put(puts, rosterCount)
        hear(result)
        return result
    }

    private func put(
        _ puts: [ServerRecord], _ rosterCount: UInt64
    ) throws(KeychainError) -> PutResult {
        if network.meetsOthers() {
            return .conflict
        }
        if network.random.chance(network.faults) {
            network.late.append((puts, rosterCount))
            throw KeychainError(.notAvailable)
        }
        return try step { () throws(KeychainError) in
            let result = try network.store(puts, rosterCount)
            if network.random.chance(network.faults) {
                network.late.append((puts, rosterCount))
            }
            return result
        }
    }

    func putRoster(_ entry: [UInt8], at head: ServerHead) throws(KeychainError) -> PutResult {
        if network.meetsOthers() {
            return .conflict
        }
        return try step { () throws(KeychainError) in
            try network.server.putRoster(entry, at: head)
        }
    }
}
