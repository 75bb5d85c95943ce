package import Secrets

extension SyncEngine {
    /// Adds a device to the team.
    ///
    /// - Throws: ``Status/duplicateItem`` if it is or was in the team; ``Status/writePermissions`` if this device is
    ///   no owner; what ``exchange(_:)`` throws.
    package func add(_ card: DeviceCard, _ role: Role) throws(KeychainError) {
        try change { next throws(KeychainError) in
            guard next.roster.devices[card.id] == nil else {
                throw KeychainError(.duplicateItem, "the device is or was in the team")
            }
            let key = key(of: next.roster)
            return .add(
                card, role, key: try TeamKeyRenewal.box(key.key, key.generation, to: card),
                seen: next.seen)
        }
    }

    /// Removes devices from the team, and renews its key; without devices it only renews the key.
    ///
    /// - Throws: ``Status/itemNotFound`` if one is not in the team; ``Status/writePermissions`` if this device is no
    ///   owner; ``Status/param`` if no owner would be left; what ``exchange(_:)`` throws.
    package func remove(_ devices: Set<Identifier>) throws(KeychainError) {
        try change(removing: devices) { next throws(KeychainError) in
            let staying = next.roster.present.filter { !devices.contains($0.card.id) }
            guard staying.count + devices.count == next.roster.present.count else {
                throw KeychainError(.itemNotFound, "the device is not in the team")
            }
            guard staying.contains(where: { $0.role == .owner }) else {
                throw SyncEngine.lastOwner
            }
            var last: [Identifier: LastChanges] = [:]
            for device in devices {
                last[device] = next.lastChanges(of: device)
            }
            return .remove(last: last, try renewal(next.roster, to: staying))
        }
    }

    /// Renews the team's key, if a device left since it was made, and this one may.
    ///
    /// - Throws: What ``exchange(_:)`` throws.
    package func renewKeyIfNeeded() throws(KeychainError) {
        guard replica.roster.needsRenewal, replica.roster.devices[device.id]?.role == .owner else {
            return
        }
        try change(fixesChanges: false) { next throws(KeychainError) in
            // Another owner may have been first.
            next.roster.needsRenewal
                ? .remove(last: [:], try renewal(next.roster, to: next.roster.present)) : nil
        }
    }

    private func renewal(
        _ roster: Roster, to devices: [Roster.Device]
    ) throws(KeychainError) -> TeamKeyRenewal {
        try TeamKeyRenewal(
            try DeviceIdentity.makeSeed(), generation: roster.generation + 1,
            previous: key(of: roster).key.copy(), to: devices.map(\.card))
    }

    /// Gives a device another role.
    ///
    /// - Throws: ``Status/itemNotFound`` if it is not in the team; ``Status/writePermissions`` if this device is no
    ///   owner; ``Status/param`` if no owner would be left; what ``exchange(_:)`` throws.
    package func setRole(of id: Identifier, to role: Role) throws(KeychainError) {
        try change { next throws(KeychainError) in
            guard next.roster.devices[id]?.role != nil else {
                throw KeychainError(.itemNotFound, "the device is not in the team")
            }
            let owners = next.roster.present.filter { $0.role == .owner }
            guard role == .owner || owners.contains(where: { $0.card.id != id }) else {
                throw SyncEngine.lastOwner
            }
            return .setRole(id, role, last: role == .reader ? next.lastChanges(of: id) : .none)
        }
    }

    /// Takes this device out of the team, with what it changed up to now. This engine is of no use afterwards.
    ///
    /// An owner's device renews the team's key with its next exchange: ``renewKeyIfNeeded()``.
    ///
    /// - Throws: ``Status/param`` if no owner would be left; what ``exchange(_:)`` throws.
    package func leave() throws(KeychainError) {
        try change(isOwnersRight: false, fixesChanges: false) { next throws(KeychainError) in
            let others = next.roster.present.filter { $0.card.id != device.id }
            guard others.contains(where: { $0.role == .owner }) else {
                throw SyncEngine.lastOwner
            }
            return .leave(last: next.lastChanges(of: device.id))
        }
    }

    private static let lastOwner = KeychainError(
        .param, "a team has at least one owner",
        hint: "give another device the role first: lanyard team role DEVICE owner")

    /// Adds an entry to the roster, which is stored only if the server has no change that is unknown here.
    ///
    /// - Parameters:
    ///   - fixesChanges: Whether the entry says which changes of other devices count: as long as some are missing,
    ///     only the devices that claim them can be removed.
    ///   - make: Returns the change; nil if there is none to be made any more.
    private func change(
        removing devices: Set<Identifier> = [], isOwnersRight: Bool = true,
        fixesChanges: Bool = true,
        _ make: (Replica) throws(KeychainError) -> RosterEntry.Change?
    ) throws(KeychainError) {
        for attempt in 0..<SyncEngine.attemptLimit {
            if attempt > 0 {
                wait(attempt - 1)
            }
            _ = try exchange()
            let role = replica.roster.devices[device.id]?.role
            guard role == .owner || role != nil && !isOwnersRight else {
                throw KeychainError(
                    .writePermissions, "only an owner of the team changes its members",
                    hint: "ask an owner of the team")
            }
            let missing = replica.incompleteDevices(for: device.id).subtracting(devices)
            guard missing.isEmpty || !fixesChanges else {
                throw SyncEngine.missing(missing.compactMap { replica.roster.devices[$0]?.card })
            }
            guard let change = try make(replica) else {
                return
            }
            let entry = replica.roster.entry(change, by: device, date: now())
            // What this device would refuse, no other one may get.
            var next = replica.roster
            try next.append(entry)
            if try transport.putRoster(entry.bytes, at: replica.server) == .stored {
                // Who has left has no right to more.
                if next.devices[device.id]?.role != nil {
                    // A server that loses it at once gets it back.
                    takeOver(next)
                    _ = try exchange()
                }
                return
            }
        }
        throw KeychainError(
            .notAvailable, "other devices keep changing the team's items",
            hint: "try again in a minute")
    }
}
