internal import LanyardCryptography
package import LanyardSecrets

/// A signed change of a team's roster. Each names the digest of the one before it, so their order can't
/// be changed and none can be left out.
package struct RosterEntry: Sendable {
    /// What the entry changes.
    package enum Change: Hashable, Sendable {
        /// Creates the team with its first device, an owner.
        case create(name: String, DeviceCard, TeamKeyRenewal)
        /// Adds a device: its card, its role, the present team key encrypted to it, and the changes that
        /// the sponsor knew of, which the team's server therefore has to have.
        case add(DeviceCard, Role, key: [UInt8], seen: VersionVector)
        /// Removes devices: the changes of each that count, and a new team key for those that stay.
        case remove(last: [Identifier: LastChanges], TeamKeyRenewal)
        /// Gives a device another role; for a reader with its changes that count.
        case setRole(Identifier, Role, last: LastChanges)
        /// Says that the author leaves, whatever its role. An owner then removes it: what it says of its own changes
        /// could stop the team, and it may not make the next team key.
        case leave
    }

    /// What is the same in all forms.
    let envelope: RosterEnvelope
    /// What it changes.
    package let change: Change

    /// The device that signed.
    package var author: Identifier { envelope.author }
    /// When the author signed, by its own clock.
    package var date: Timestamp { envelope.date }
    /// The stored form.
    package var bytes: [UInt8] { envelope.bytes }

    /// Signs an entry.
    init(
        team: [UInt8], position: UInt64, previous: [UInt8], date: Timestamp, _ change: Change,
        by author: DeviceIdentity
    ) {
        var writer = ByteWriter()
        change.append(to: &writer)
        self.change = change
        let envelope = RosterEnvelope(
            team: team, position: position, previous: previous, date: date, writer.bytes, by: author
        )
        self.envelope = envelope
        digest = envelope.digest
    }

    /// The digest that the next entry names, 32 bytes.
    let digest: [UInt8]

    // MARK: The stored form

    /// Reads an entry's stored form. The signature is not checked yet.
    ///
    /// - Throws: ``Status/decode`` for anything that is not an entry of this form.
    package init(_ bytes: [UInt8]) throws(KeychainError) {
        do throws(KeychainError) {
            try self.init(try RosterEnvelope(bytes))
        } catch {
            throw error.status == .decode ? Roster.invalid : error
        }
    }

    /// Reads the entry in an envelope.
    ///
    /// - Throws: ``Status/decode`` for anything that is not an entry of this form.
    init(_ envelope: RosterEnvelope) throws(KeychainError) {
        guard envelope.format == RosterEnvelope.format else {
            throw KeychainError(.decode)
        }
        var reader = ByteReader(envelope.content)
        change = try Change(reading: &reader)
        try reader.end()
        self.envelope = envelope
        digest = envelope.digest
    }
}

extension RosterEntry.Change {
    static let leaveMark: UInt8 = 4

    /// The team key that it makes, nil if none.
    var renewal: TeamKeyRenewal? {
        switch self {
        case .create(_, _, let renewal), .remove(_, let renewal): renewal
        case .add, .setRole, .leave: nil
        }
    }

    func append(to writer: inout ByteWriter) {
        switch self {
        case .create(let name, let card, let key):
            writer.number(UInt8(0))
            writer.counted(Array(name.utf8))
            card.append(to: &writer)
            key.append(to: &writer)
        case .add(let card, let role, let key, let seen):
            writer.number(UInt8(1))
            card.append(to: &writer)
            writer.number(role.rawValue)
            writer.counted(key)
            seen.append(to: &writer)
        case .remove(let last, let key):
            writer.number(UInt8(2))
            writer.number(UInt32(last.count))
            for (device, changes) in last.sorted(by: { $0.key < $1.key }) {
                writer.raw(device.bytes)
                changes.append(to: &writer)
            }
            key.append(to: &writer)
        case .setRole(let device, let role, let last):
            writer.number(UInt8(3))
            writer.raw(device.bytes)
            writer.number(role.rawValue)
            last.append(to: &writer)
        case .leave: writer.number(RosterEntry.Change.leaveMark)
        }
    }

    fileprivate init(reading reader: inout ByteReader) throws(KeychainError) {
        switch try reader.number(UInt8.self) {
        case 0:
            guard let name = String(validating: try reader.counted(), as: UTF8.self) else {
                throw KeychainError(.decode)
            }
            self = .create(
                name: name, try DeviceCard(reading: &reader), try TeamKeyRenewal(reading: &reader))
        case 1:
            let card = try DeviceCard(reading: &reader)
            let role = try RosterEntry.Change.role(&reader)
            let key = try reader.counted()
            self = .add(card, role, key: key, seen: try VersionVector(reading: &reader))
        case 2:
            var last: [Identifier: LastChanges] = [:]
            var previous: Identifier?
            for _ in 0..<(try reader.number(UInt32.self)) {
                let device = try Identifier(reading: &reader)
                if let previous, previous >= device {
                    throw KeychainError(.decode)
                }
                last[device] = try LastChanges(reading: &reader)
                previous = device
            }
            self = .remove(last: last, try TeamKeyRenewal(reading: &reader))
        case 3:
            let device = try Identifier(reading: &reader)
            let role = try RosterEntry.Change.role(&reader)
            self = .setRole(device, role, last: try LastChanges(reading: &reader))
        case RosterEntry.Change.leaveMark: self = .leave
        default:
            throw KeychainError(.decode)
        }
    }

    private static func role(_ reader: inout ByteReader) throws(KeychainError) -> Role {
        guard let role = Role(rawValue: try reader.number()) else {
            throw KeychainError(.decode)
        }
        return role
    }
}
