package import LanyardSecrets
package import SyncEngine

/// A device of a test, with what its keychain has.
package final class TestDevice {
    package let identity: DeviceIdentity
    package var engine: SyncEngine
    private let now: () -> Timestamp

    package static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)

    package static func identity(_ person: String, _ seed: UInt8) throws -> DeviceIdentity {
        try DeviceIdentity(
            person: person, name: "laptop",
            seed: Secret(copying: [UInt8](repeating: seed, count: 32).span))
    }

    /// Creates a team and its first device.
    ///
    /// - Parameter now: The clock of this device, and of those that it adds.
    package init(
        creating server: any SyncTransport, _ person: String = "ada", seed: UInt8 = 1,
        now: @escaping () -> Timestamp = { TestDevice.start }
    ) throws {
        identity = try TestDevice.identity(person, seed)
        self.now = now
        let first = try Roster.create(
            name: "team", by: identity, key: try DeviceIdentity.makeSeed(), date: now())
        let result = try server.putRoster(
            first.bytes, at: ServerHead(sequence: 0, rosterCount: 0))
        guard result == .stored else {
            throw KeychainError(.duplicateKeychain)
        }
        engine = try SyncEngine(
            try Replica(Roster(first)), identity, server, now: now, wait: { _ in })
        _ = try engine.exchange()
    }

    /// Creates a device that a sponsor added.
    package init(
        _ identity: DeviceIdentity, joining server: any SyncTransport, team: Identifier,
        now: @escaping () -> Timestamp = { TestDevice.start }
    ) throws {
        self.identity = identity
        self.now = now
        engine = try SyncEngine(
            try Replica(joining: team, from: server), identity, server, now: now, wait: { _ in })
        _ = try engine.exchange()
    }

    /// Adds another device to the team.
    package func sponsor(
        _ person: String, seed: UInt8, _ role: Role = .member, on server: any SyncTransport
    ) throws -> TestDevice {
        let identity = try TestDevice.identity(person, seed)
        try engine.add(identity.card, role)
        return try TestDevice(
            identity, joining: server, team: engine.replica.roster.team, now: now)
    }

    // MARK: Items

    /// Stores a new item and exchanges it.
    @discardableResult
    package func add(_ text: String) throws -> Identifier {
        let change = try LocalChange(adding: Secret(text))
        _ = try engine.exchange([change])
        return change.record
    }

    package func set(_ record: Identifier, _ text: String?) throws {
        _ = try engine.exchange([change(record, text)])
    }

    package func change(_ record: Identifier, _ text: String?) throws -> LocalChange {
        switch text {
        case .some(let text): try LocalChange(record, Secret(text), in: engine.replica)
        case .none: try LocalChange(record, nil, in: engine.replica)
        }
    }

    @discardableResult
    package func exchange() throws -> SyncReport {
        try engine.exchange()
    }

    package func text(of version: ItemVersion, _ record: Identifier) throws -> String? {
        switch try engine.content(of: version, of: record) {
        case .some(let content):
            content.withBytes { String(decoding: ByteString(copying: $0).bytes, as: UTF8.self) }
        case .none: nil
        }
    }

    /// The texts of the items that are not deleted, by record.
    package func texts() throws -> [Identifier: String] {
        var texts: [Identifier: String] = [:]
        for (record, item) in try engine.replica.items {
            texts[record] = try text(of: item.winner, record)
        }
        return texts
    }
}
