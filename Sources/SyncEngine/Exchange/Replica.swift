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
    private(set) var heads: [Identifier: DeviceHead] = [:]
    /// The devices that ask to be added, by their id.
    package var requests: [Identifier: DeviceCard] = [:]
    /// Whether more devices ask.
    package internal(set) var hasMoreRequests = false
    /// The server's version of each record.
    var versions: [Identifier: UInt64] = [:]
    /// How far the server was at the last exchange.
    package internal(set) var server = ServerHead(sequence: 0, rosterCount: 0)
    /// The record that changed last on the server, as far as known: if it is gone, the server went back.
    var lastRecord: LastRecord?
    /// The devices of which something changed since the replica was found complete.
    private var unchecked: Set<Identifier> = []
    /// For each device the last of its changes that went into an item.
    private(set) var seen = VersionVector()
    /// For each device the sum that its head has to have.
    private var changes: [Identifier: DigestSum] = [:]

    /// Creates a replica that knows the roster alone.
    package init(_ roster: Roster) {
        self.roster = roster
        unchecked = Set(roster.devices.keys)
    }

    /// A record of the server, by its digest.
    struct LastRecord: Hashable, Sendable {
        let id: Identifier
        let version: UInt64
        let digest: [UInt8]

        init(id: Identifier, version: UInt64, content: [UInt8]) {
            self.id = id
            self.version = version
            digest = KeyedDigest.plain(content.span)
        }

        func append(to writer: inout ByteWriter) {
            writer.raw(id.bytes)
            writer.number(version)
            writer.raw(digest)
        }

        init(reading reader: inout ByteReader) throws(KeychainError) {
            id = try Identifier(reading: &reader)
            version = try reader.number()
            digest = try reader.raw(KeyedDigest.size)
        }
    }

    /// Sets an item, which replaces what is known of it.
    mutating func set(_ item: SharedItem, as record: Identifier) {
        note(item.context, of: record)
        items[record] = item
    }

    private mutating func note(_ context: VersionVector, of record: Identifier) {
        let known = items[record]?.context ?? VersionVector()
        context.forEachDifference(from: known) { device, new, old in
            if old > 0 {
                changes[device, default: DigestSum()]
                    .subtract(DeviceHead.digest(record, device, old))
            }
            if new > 0 {
                changes[device, default: DigestSum()]
                    .add(DeviceHead.digest(record, device, new))
            }
            if new > seen[device] {
                seen[device] = new
            }
            unchecked.insert(device)
        }
    }

    /// Removes versions that their devices made, and did not give the server, before they lost the right to.
    mutating func removeVersionsThatDoNotCount() {
        for (record, item) in items where !item.versions.allSatisfy(roster.allows) {
            if let item = item.filtered(roster.allows) {
                set(item, as: record)
            } else {
                note(VersionVector(), of: record)
                items[record] = nil
            }
        }
    }

    /// Sets the newest head of a device.
    mutating func set(_ head: DeviceHead) {
        guard heads[head.device] != head else {
            return
        }
        heads[head.device] = head
        unchecked.insert(head.device)
    }

    /// Returns the changes of a device that count if it is to make no more.
    func lastChanges(of device: Identifier) -> LastChanges {
        var versions: Set<Identifier> = []
        for item in items.values {
            for version in item.versions where version.device == device {
                versions.insert(version.tag)
            }
        }
        return LastChanges(
            counter: seen[device], changes: changes[device] ?? DigestSum(), versions: versions)
    }

    /// Whether everything is there that the devices' heads say, or the roster of devices that make no more
    /// changes. Only what changed since it was complete is looked at: what a head knew, stays known.
    mutating func isComplete(for own: Identifier) -> Bool {
        guard incompleteDevices(for: own).isEmpty else {
            return false
        }
        unchecked = []
        return true
    }

    /// Returns the devices of which something is missing.
    func incompleteDevices(for own: Identifier) -> Set<Identifier> {
        unchecked.filter { !isComplete($0, for: own) }
    }

    private func isComplete(_ device: Identifier, for own: Identifier) -> Bool {
        if let last = roster.devices[device]?.last {
            // More is known only if a server lost what an owner did not know.
            return seen[device] > last.counter
                || seen[device] == last.counter
                    && changes[device] ?? DigestSum() == last.changes
        }
        guard let head = heads[device] else {
            return seen[device] == 0 || device == own
        }
        let isPending = device == own && seen[device] > head.counter
        return (isPending || agrees(with: head)) && knows(head.seen) && knowsRoster(of: head)
    }

    /// Whether the roster that a head names is, or was, the one known here.
    func knowsRoster(of head: DeviceHead) -> Bool {
        head.rosterCount > 0 && head.rosterCount <= UInt64(roster.entries.count)
            && roster.entries[Int(head.rosterCount) - 1].digest.hasSameBytes(as: head.rosterDigest)
    }

    /// Takes the roster over as it is now.
    mutating func set(_ roster: Roster) {
        self.roster = roster
        unchecked.formUnion(roster.devices.keys)
        for (id, device) in roster.devices {
            requests[id] = nil
            // What it claimed beyond that does not count, and no server gets it back.
            if let last = device.last, let head = heads[id], head.counter >= last.counter,
                head.counter > last.counter || head.changes != last.changes
            {
                heads[id] = nil
            }
        }
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
        seen.covers(other)
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
        // The records come with the first exchange.
        let head = try transport.head()
        let changes = try transport.changes(
            since: ServerHead(sequence: head.sequence, rosterCount: 0))
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
