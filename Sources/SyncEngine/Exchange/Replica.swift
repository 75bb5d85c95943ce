internal import Cryptography
package import Secrets

/// What a device knows of its team: the roster, the items and the heads of the devices, all checked, and
/// how far the server was.
package struct Replica: Sendable {
    /// The team's devices.
    package internal(set) var roster: Roster
    /// The items, by record.
    package private(set) var items: [Identifier: SharedItem] = [:]
    /// The newest head of each device that made changes.
    var heads: [Identifier: DeviceHead] = [:]
    /// The devices that ask to be added, by their id.
    package var requests: [Identifier: DeviceCard] = [:]
    /// The server's version of each record.
    var versions: [Identifier: UInt64] = [:]
    /// How far the server was at the last exchange.
    package internal(set) var server = ServerHead(sequence: 0, rosterCount: 0)
    /// For each device the last of its changes that went into an item.
    private(set) var seen = VersionVector()
    /// For each device the sum that its head has to have.
    private var changes: [Identifier: DigestSum] = [:]

    /// Creates a replica that knows the roster alone.
    package init(_ roster: Roster) {
        self.roster = roster
    }

    /// Sets an item, which replaces what is known of it.
    mutating func set(_ item: SharedItem, as record: Identifier) {
        let known = items[record]?.context ?? VersionVector()
        for device in item.context.devices where known[device] != item.context[device] {
            if known[device] > 0 {
                changes[device, default: DigestSum()]
                    .subtract(DeviceHead.digest(record, device, known[device]))
            }
            let counter = item.context[device]
            changes[device, default: DigestSum()]
                .add(DeviceHead.digest(record, device, counter))
            seen[device] = max(seen[device], counter)
        }
        items[record] = item
    }

    /// Returns the head that a device has to have now.
    func head(of device: DeviceIdentity) -> DeviceHead {
        DeviceHead(
            counter: seen[device.id], changes: changes[device.id] ?? DigestSum(), seen: seen,
            roster,
            by: device)
    }

    /// Whether a head says of its device what is known here.
    func agrees(with head: DeviceHead) -> Bool {
        seen[head.device] == head.counter && changes[head.device] ?? DigestSum() == head.changes
    }

    /// Whether everything is known that a vector names.
    func knows(_ other: VersionVector) -> Bool {
        other.devices.allSatisfy { seen[$0] >= other[$0] }
    }
}

// MARK: Joining

extension Replica {
    /// Reads the roster of a team from its server.
    ///
    /// - Parameter team: The team's id, from a member and not from the server.
    /// - Throws: ``Status/itemNotFound`` if the server does not have the team; ``Status/decode`` if it shows
    ///   another one, or the roster was tampered with; what the transport throws.
    package init(
        joining team: Identifier, from transport: any SyncTransport
    ) throws(KeychainError) {
        let changes = try transport.changes(since: ServerHead(sequence: 0, rosterCount: 0))
        guard let first = changes.roster.first else {
            throw KeychainError(
                .itemNotFound, "there is no such team on this server",
                hint: "compare the invitation with the one that the team's member has")
        }
        var roster = try Roster(try RosterEntry(first))
        guard roster.team == team else {
            throw KeychainError(
                .decode, "the team on this server is not the one that invited you",
                hint: "don't trust this server: ask who invited you")
        }
        for entry in changes.roster.dropFirst() {
            try roster.append(try RosterEntry(entry))
        }
        self.init(roster)
    }
}
