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
        try change { next throws(KeychainError) in
            let staying = next.roster.present.filter { !devices.contains($0.card.id) }
            guard staying.count + devices.count == next.roster.present.count else {
                throw KeychainError(.itemNotFound, "the device is not in the team")
            }
            guard staying.contains(where: { $0.role == .owner }) else {
                throw KeychainError(.param, "a team has at least one owner")
            }
            var last: [Identifier: LastChanges] = [:]
            for device in devices {
                last[device] = next.lastChanges(of: device)
            }
            let renewal = try TeamKeyRenewal(
                try DeviceIdentity.makeSeed(), generation: next.roster.generation + 1,
                previous: key(of: next.roster).key.copy(), to: staying.map(\.card))
            return .remove(last: last, renewal)
        }
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
                throw KeychainError(.param, "a team has at least one owner")
            }
            return .setRole(id, role, last: role == .reader ? next.lastChanges(of: id) : .none)
        }
    }

    /// Adds an entry to the roster, which is stored only if the server has no change that is unknown here.
    private func change(
        _ make: (Replica) throws(KeychainError) -> RosterEntry.Change
    ) throws(KeychainError) {
        for attempt in 0..<SyncEngine.attemptLimit {
            if attempt > 0 {
                wait(attempt - 1)
            }
            _ = try exchange()
            guard replica.roster.devices[device.id]?.role == .owner else {
                throw KeychainError(
                    .writePermissions, "only an owner of the team changes its members",
                    hint: "ask an owner of the team")
            }
            let entry = replica.roster.entry(try make(replica), by: device, date: now())
            // What this device would refuse, no other one may get.
            var next = replica.roster
            try next.append(entry)
            if try transport.putRoster(entry.bytes, at: replica.server) == .stored {
                _ = try exchange()
                return
            }
        }
        throw KeychainError(
            .notAvailable, "other devices keep changing the team's items",
            hint: "try again in a minute")
    }
}
