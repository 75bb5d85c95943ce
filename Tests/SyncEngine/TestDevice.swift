import RandomNumbers
import Secrets
import SyncServer

@testable import SyncEngine

/// A device of a test, with what its keychain has.
final class TestDevice {
    let identity: DeviceIdentity
    var engine: SyncEngine

    static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)

    static func identity(_ person: String, _ seed: UInt8) throws -> DeviceIdentity {
        try DeviceIdentity(
            person: person, name: "laptop",
            seed: Secret(copying: [UInt8](repeating: seed, count: 32).span))
    }

    /// Creates a team and its first device.
    init(creating server: MemoryServer, _ person: String = "ada", seed: UInt8 = 1) throws {
        identity = try TestDevice.identity(person, seed)
        let first = try Roster.create(
            name: "team", by: identity, key: try DeviceIdentity.makeSeed(),
            date: TestDevice.start)
        let result = try server.putRoster(
            first.bytes, at: ServerHead(sequence: 0, rosterCount: 0))
        guard result == .stored else {
            throw KeychainError(.duplicateKeychain)
        }
        engine = try SyncEngine(
            try Replica(Roster(first)), identity, server, now: { TestDevice.start },
            wait: { _ in })
        _ = try engine.exchange()
    }

    /// Creates a device that a sponsor added.
    init(_ identity: DeviceIdentity, joining server: any SyncTransport, team: Identifier) throws {
        self.identity = identity
        engine = try TestDevice.join(identity, server, team)
        _ = try engine.exchange()
    }

    static func join(
        _ identity: DeviceIdentity, _ server: any SyncTransport, _ team: Identifier
    ) throws -> SyncEngine {
        let replica = try Replica(joining: team, from: server)
        return try SyncEngine(
            replica, identity, server, now: { TestDevice.start }, wait: { _ in })
    }

    /// Adds another device to the team.
    func sponsor(
        _ person: String, seed: UInt8, _ role: Role = .member, on server: any SyncTransport
    ) throws -> TestDevice {
        let identity = try TestDevice.identity(person, seed)
        try engine.add(identity.card, role)
        return try TestDevice(identity, joining: server, team: engine.replica.roster.team)
    }

    // MARK: Items

    /// Stores a new item and exchanges it.
    @discardableResult
    func add(_ text: String) throws -> Identifier {
        let change = try LocalChange(adding: Secret(text))
        _ = try engine.exchange([change])
        return change.record
    }

    func set(_ record: Identifier, _ text: String?) throws {
        _ = try engine.exchange([change(record, text)])
    }

    func change(_ record: Identifier, _ text: String?) throws -> LocalChange {
        switch text {
        case .some(let text): try LocalChange(record, Secret(text), in: engine.replica)
        case .none: try LocalChange(record, nil, in: engine.replica)
        }
    }

    @discardableResult
    func exchange() throws -> SyncReport {
        try engine.exchange()
    }

    func text(of version: ItemVersion, _ record: Identifier) throws -> String? {
        switch try engine.content(of: version, of: record) {
        case .some(let content):
            content.withBytes { String(decoding: ByteString(copying: $0).bytes, as: UTF8.self) }
        case .none: nil
        }
    }

    /// The texts of the items that are not deleted, by record.
    func texts() throws -> [Identifier: String] {
        var texts: [Identifier: String] = [:]
        for (record, item) in try engine.replica.items {
            texts[record] = try text(of: item.winner, record)
        }
        return texts
    }
}
