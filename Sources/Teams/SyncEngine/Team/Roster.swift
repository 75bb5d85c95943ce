internal import LanyardCryptography
package import LanyardSecrets

/// A team's devices with their roles, and the generations of its key, as the chain of signed entries
/// makes them. Every entry was checked: who signed it had the right to.
package struct Roster: Sendable {
    /// A device of the team, now or before.
    package struct Device: Hashable, Sendable {
        /// Its card.
        package let card: DeviceCard
        /// Its role; nil once it was removed.
        package fileprivate(set) var role: Role?
        /// Its changes that count; nil while it may make more.
        fileprivate(set) var last: LastChanges?
        /// The owner who said so.
        fileprivate(set) var lastAuthor: Identifier?
        /// If it was removed, or became a reader, changes of it up to this number may not count although others knew them. It
        /// never makes one of these numbers again.
        fileprivate(set) var lostBelow: UInt64 = 0
        /// The numbers of such changes: those after the first one, up to the second one.
        fileprivate(set) var lostNumbers: [(after: UInt64, to: UInt64)] = []
        /// When it changed the roster last, by its own clock; nil if it never did.
        fileprivate(set) var changed: Timestamp?
        /// The present team key, when the device was added, with its generation.
        let key: (generation: UInt32, box: [UInt8])?
        /// The position of the entry that added it.
        let position: Int
        /// When it was added, by the clock of the sponsor.
        package let added: Timestamp

        package static func == (left: Device, right: Device) -> Bool {
            left.card == right.card && left.role == right.role && left.last == right.last
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(card)
        }

        /// Returns the number of the last change that counts, of those up to a number.
        func lastCounting(_ number: UInt64) -> UInt64 {
            lostNumbers.first { $0.after < number && number <= $0.to }?.after
                ?? min(number, last?.counter ?? .max)
        }

        fileprivate mutating func loseChanges(after last: LastChanges) {
            // Half of all numbers are left, whatever an owner says.
            let half = SyncLimits.number / 2
            let counter = min(max(last.counter, lostBelow), half)
            lostBelow = max(min(last.named, half), counter + SyncLimits.lostNumbers)
            lostNumbers.append((last.counter, lostBelow))
        }
    }

    /// An entry that was checked. What it changed is in the devices: a renewal for a thousand devices would
    /// take more memory than all items.
    package struct Checked: Sendable {
        /// The stored form.
        package let bytes: [UInt8]
        /// The digest that the next entry names.
        let digest: [UInt8]
        /// The device that signed.
        let author: Identifier
        /// When it signed, by its own clock.
        let date: Timestamp
        /// Whether its author leaves.
        let isLeave: Bool
        /// The device that it adds, if any.
        fileprivate let added: Identifier?

        fileprivate init(_ entry: RosterEntry) {
            bytes = entry.bytes
            digest = entry.digest
            author = entry.author
            date = entry.date
            isLeave = entry.change == .leave
            if case .add(let card, _, _, _) = entry.change {
                added = card.id
            } else {
                added = nil
            }
        }
    }

    /// A generation of the team's key, without the boxes: these are in the entry.
    struct Generation {
        let renewal: TeamKeyRenewal
        let position: Int
    }

    /// The team's id: the digest of its first entry.
    package let team: Identifier
    /// The team's name.
    package let name: String
    /// The entries, the oldest first.
    package private(set) var entries: [Checked]
    /// Entries beside these that do not count: devices may have had them for a while. See ``RosterReading``.
    private(set) var lost: [Checked] = []
    /// Their digests, and the devices that they added.
    private var lostDigests: Set<[UInt8]> = []
    private var lostDevices: Set<Identifier> = []
    /// All devices that are or were in the team.
    package private(set) var devices: [Identifier: Device]
    /// The devices by the records of their heads.
    private(set) var headRecords: [Identifier: Identifier]
    private(set) var renewals: [Generation]
    /// The devices that leave the team: an owner has to remove them.
    private(set) var leaving: Set<Identifier> = []
    /// The digest of the last entry.
    var lastDigest: [UInt8] { entries[entries.count - 1].digest }

    /// The present generation of the team's key.
    package var generation: UInt32 { UInt32(renewals.count) }

    /// The devices that are in the team now and stay, ordered by person and name.
    package var present: [Device] {
        devices.values.filter { $0.role != nil && !leaving.contains($0.card.id) }.sorted {
            ($0.card.person, $0.card.name, $0.card.id) < ($1.card.person, $1.card.name, $1.card.id)
        }
    }

    // MARK: Checking entries

    /// Begins a roster with a team's first entry.
    ///
    /// - Throws: ``Status/decode`` if the entry does not create a team, or its signature is wrong.
    package init(_ first: RosterEntry) throws(KeychainError) {
        guard case .create(let name, let card, let key) = first.change, DeviceCard.isName(name),
            first.envelope.team.allSatisfy({ $0 == 0 }), first.envelope.position == 0,
            first.envelope.previous.allSatisfy({ $0 == 0 }), first.envelope.isSigned(by: card),
            key.generation == 1, key.previous.isEmpty, Set(key.boxes.keys) == [card.id]
        else {
            throw Roster.invalid
        }
        self.name = name
        team = Identifier(digestOf: first.bytes)
        entries = [Checked(first)]
        devices = [
            card.id: Device(
                card: card, role: .owner, last: nil, changed: first.date, key: nil, position: 0,
                added: first.date)
        ]
        headRecords = [DeviceHead.record(of: card.id, team: team): card.id]
        renewals = [Generation(renewal: key.withoutBoxes, position: 0)]
    }

    /// Adds the next entry.
    ///
    /// - Parameter isSigned: Whether its signature was checked when this device got it.
    /// - Throws: ``Status/decode`` if it does not follow the last one, its signature is wrong, its date is not later than
    ///   its author's before it, or who signed it had no right to.
    package mutating func append(
        _ entry: RosterEntry, isSigned: Bool = false
    ) throws(KeychainError) {
        guard isNext(entry.envelope), let author = devices[entry.author], let role = author.role,
            !leaving.contains(entry.author),
            author.changed.map({ $0 < entry.date }) ?? true,
            isSigned || entry.envelope.isSigned(by: author.card)
        else {
            throw Roster.invalid
        }
        if case .leave = entry.change {
        } else if role != .owner {
            throw Roster.invalid
        }
        switch entry.change {
        case .create:
            throw Roster.invalid
        case .add(let card, let role, let box, _):
            guard devices[card.id] == nil else {
                throw Roster.invalid
            }
            devices[card.id] = Device(
                card: card, role: role, last: role == .reader ? LastChanges.none : nil,
                key: (generation, box), position: entries.count, added: entry.date)
            headRecords[DeviceHead.record(of: card.id, team: team)] = card.id
        case .remove(let last, let renewal):
            try remove(last, renewal, by: entry.author)
        case .setRole(let device, let role, let last):
            guard let known = devices[device], known.role != nil else {
                throw Roster.invalid
            }
            devices[device]?.role = role
            if role == .reader, known.last == nil {
                devices[device]?.lastAuthor = entry.author
                devices[device]?.loseChanges(after: last)
            }
            devices[device]?.last = role == .reader ? known.last ?? last : nil
            try checkOwners()
        case .leave:
            leaving.insert(entry.author)
            try checkOwners()
        }
        let checked = Checked(entry)
        if !checked.isLeave {
            devices[entry.author]?.changed = entry.date
        }
        entries.append(checked)
    }

    /// Whether an entry says that it follows the last one.
    func isNext(_ entry: RosterEnvelope) -> Bool {
        entry.team == team.bytes && entry.position == UInt64(entries.count)
            && entry.previous.hasSameBytes(as: lastDigest)
    }

    /// Whether an entry is one of those that do not count.
    func isLost(_ digest: [UInt8]) -> Bool { lostDigests.contains(digest) }

    /// Whether a device is not in the roster because the entry does not count that added it.
    func isOverruled(_ device: Identifier) -> Bool {
        devices[device] == nil && lostDevices.contains(device)
    }

    /// Replaces ``lost``.
    mutating func setLost(_ entries: [Checked]) {
        (lost, lostDigests, lostDevices) = ([], [], [])
        for entry in entries {
            keep(lost: entry)
        }
    }

    private mutating func keep(lost entry: Checked) {
        lost.append(entry)
        lostDigests.insert(entry.digest)
        if let device = entry.added {
            lostDevices.insert(device)
        }
    }

    /// Adds an entry to ``lost``.
    ///
    /// - Throws: ``Status/decode`` if it is none.
    mutating func keep(lost bytes: [UInt8]) throws(KeychainError) {
        keep(lost: Checked(try RosterEntry(bytes)))
    }

    /// Whether a device is a present owner's.
    func isOwner(_ device: Identifier) -> Bool {
        devices[device]?.role == .owner && !leaving.contains(device)
    }

    private func checkOwners() throws(KeychainError) {
        guard devices.keys.contains(where: isOwner) else {
            throw Roster.invalid
        }
    }

    private mutating func remove(
        _ last: [Identifier: LastChanges], _ renewal: TeamKeyRenewal, by author: Identifier
    ) throws(KeychainError) {
        for (device, changes) in last {
            guard let role = devices[device]?.role else {
                throw Roster.invalid
            }
            // It makes no more.
            devices[device]?.lostBelow = .max
            // A reader's last change is that of the time when it became one.
            if role != .reader {
                devices[device]?.last = changes
                devices[device]?.lastAuthor = author
            }
            devices[device]?.role = nil
            leaving.remove(device)
        }
        // To all that stay, and to no one else.
        try checkOwners()
        let staying = devices.values.lazy.filter { $0.role != nil }
        guard renewal.generation == generation + 1, !renewal.previous.isEmpty,
            staying.count == renewal.boxes.count,
            staying.allSatisfy({ renewal.boxes[$0.card.id] != nil })
        else {
            throw Roster.invalid
        }
        renewals.append(
            Generation(renewal: renewal.withoutBoxes, position: entries.count))
    }

    static let invalid = KeychainError(
        .decode, "the team's roster has an entry that none of its owners could have made",
        hint: "the server or what is between was tampered with: ask the team's other members")

    /// The error that owners changed the team in a later form.
    func newer(by authors: Set<Identifier>) -> KeychainError {
        let cards = authors.compactMap { devices[$0]?.card }.sorted { $0.path < $1.path }
        let names = cards.map { "'\($0.name)' of \($0.person)" }.joined(separator: " and ")
        return KeychainError(
            .wrongVersion, "\(names) changed the team in a form that this Lanyard does not know",
            hint:
                "install a newer Lanyard, if that device has one; else another owner removes it: lanyard team remove "
                + (cards.first?.path.shellQuoted ?? "DEVICE"))
    }

    /// Whether a device had the right to make a change.
    ///
    /// - Parameter tag: The change's.
    func allows(_ id: Identifier, _ tag: Identifier) -> Bool {
        guard let device = devices[id] else {
            return false
        }
        return device.last?.tags.contains(tag) ?? true
    }

    // MARK: Making entries

    /// Returns the first entry of a new team.
    ///
    /// - Throws: ``Status/param`` for a name that is empty, too long, or has control characters.
    package static func create(
        name: String, by device: DeviceIdentity, key: borrowing Secret, date: Timestamp
    ) throws(KeychainError) -> RosterEntry {
        guard DeviceCard.isName(name) else {
            throw DeviceCard.invalidName
        }
        let zeros = [UInt8](repeating: 0, count: KeyedDigest.size)
        let renewal = try TeamKeyRenewal(key, generation: 1, previous: nil, to: [device.card])
        return RosterEntry(
            team: Array(zeros.prefix(Identifier.size)), position: 0, previous: zeros, date: date,
            .create(name: name, device.card, renewal), by: device)
    }

    /// Returns the next entry. Its date is later than those of all entries that the device is known to have made.
    func entry(
        _ change: RosterEntry.Change, by device: DeviceIdentity, date: Timestamp
    ) -> RosterEntry {
        let own = lost.filter { $0.author == device.id }.map { $0.date }
        let date = (own + [devices[device.id]?.changed].compactMap { $0 }).reduce(date) {
            $0.later(than: $1)
        }
        return RosterEntry(
            team: team.bytes, position: UInt64(entries.count), previous: lastDigest, date: date,
            change, by: device)
    }

    func entry(at position: Int) throws(KeychainError) -> RosterEntry {
        try RosterEntry(entries[position].bytes)
    }

    /// Returns the changes that the sponsor of a device knew of when it added it.
    func seenBySponsor(of device: Identifier) throws(KeychainError) -> VersionVector {
        guard let position = devices[device]?.position,
            case .add(_, _, _, let seen) = try entry(at: position).change
        else {
            return VersionVector()
        }
        return seen
    }
}
