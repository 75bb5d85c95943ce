internal import LinuxSystem
package import LanyardSecrets

extension SyncEngine {
    /// Adds a device to the team, unless another owner just did so with the same role.
    ///
    /// - Parameter check: Checks whether the present roster can have it.
    /// - Throws: ``Status/duplicateItem`` if it was in the team, or has another role there;
    ///   ``Status/writePermissions`` if this device is no owner; what ``exchange(_:change:)`` and the check throw.
    package func add(
        _ card: DeviceCard, _ role: Role,
        check: (Roster) throws(KeychainError) -> Void = { _ throws(KeychainError) in }
    ) throws(KeychainError) {
        try change { next throws(KeychainError) in
            if let present = next.roster.devices[card.id] {
                guard let known = present.role else {
                    throw KeychainError(.duplicateItem, "the device was in the team")
                }
                guard known == role else {
                    throw KeychainError(
                        .duplicateItem, "the device is in the team already, as \(known.name)",
                        hint: "give it another role: lanyard team role DEVICE \(role.name)")
                }
                return nil
            }
            try check(next.roster)
            let key = try presentKey()
            return .add(
                card, role, key: try TeamKeyRenewal.box(key.key, key.generation, to: card),
                seen: next.seen)
        }
    }

    /// Removes devices from the team and those that leave it, and renews its key. It needs no clean exchange of items, no
    /// present key, and of changes of the team that are in a later form only those of others: a device that is to be removed
    /// could prevent that.
    ///
    /// - Throws: ``Status/itemNotFound`` if one is not in the team; ``Status/writePermissions`` if this device is no
    ///   owner; ``Status/param`` if no owner would be left; ``Status/dataTooLarge`` if the team has too many devices; what
    ///   ``exchange(_:change:)`` throws.
    package func remove(_ devices: Set<Identifier>) throws(KeychainError) {
        removing = devices
        defer { removing = [] }
        try change(needsItems: false) { next throws(KeychainError) in
            guard devices.allSatisfy({ next.roster.devices[$0]?.role != nil }) else {
                throw KeychainError(.itemNotFound, "the device is not in the team")
            }
            return try removal(of: devices, next)
        }
    }

    private func removal(
        of devices: Set<Identifier>, _ next: Replica
    ) throws(KeychainError) -> RosterEntry.Change {
        let staying = next.roster.present.filter { !devices.contains($0.card.id) }
        guard staying.contains(where: { $0.role == .owner }) else {
            throw SyncEngine.lastOwner
        }
        var last: [Identifier: LastChanges] = [:]
        let all = devices.union(next.roster.leaving)
        for device in all {
            last[device] = try next.lastChanges(
                of: device, limit: lastChangesLimit / max(all.count, 1))
        }
        let renewal = try TeamKeyRenewal(
            try DeviceIdentity.makeSeed(), generation: next.roster.generation + 1,
            previous: newestKey().key.copy(), to: staying.map({ $0.card }))
        return .remove(last: last, renewal)
    }

    /// Removes the devices that leave the team, if this one may.
    ///
    /// - Throws: What ``exchange(_:change:)`` throws.
    package func removeLeavingDevices() throws(KeychainError) {
        guard hasToRemoveDevices else {
            return
        }
        try change(needsItems: false) { next throws(KeychainError) in
            // Another owner may have been first.
            next.roster.leaving.isEmpty ? nil : try removal(of: [], next)
        }
    }

    /// Whether devices leave the team, and this one is an owner's.
    package var hasToRemoveDevices: Bool {
        !replica.roster.leaving.isEmpty && replica.roster.devices[device.id]?.role == .owner
    }

    /// Gives a device another role.
    ///
    /// - Throws: ``Status/itemNotFound`` if it is not in the team; ``Status/writePermissions`` if this device is no
    ///   owner; ``Status/param`` if no owner would be left; what ``exchange(_:change:)`` throws.
    package func setRole(of id: Identifier, to role: Role) throws(KeychainError) {
        try change { next throws(KeychainError) in
            guard next.roster.devices[id]?.role != nil else {
                throw KeychainError(.itemNotFound, "the device is not in the team")
            }
            let owners = next.roster.present.filter { $0.role == .owner }
            guard role == .owner || owners.contains(where: { $0.card.id != id }) else {
                throw SyncEngine.lastOwner
            }
            return .setRole(
                id, role,
                last: role == .reader
                    ? try next.lastChanges(of: id, limit: lastChangesLimit) : .none)
        }
    }

    /// Says that this device leaves the team. This engine is of no use afterwards.
    ///
    /// An owner's device removes it with its next exchange: ``removeLeavingDevices()``.
    ///
    /// - Throws: ``Status/param`` if no owner would be left; what ``exchange(_:change:)`` throws.
    package func leave() throws(KeychainError) {
        try change(isOwnersRight: false, needsItems: false) { next throws(KeychainError) in
            let others = next.roster.present.filter { $0.card.id != device.id }
            guard others.contains(where: { $0.role == .owner }) else {
                throw SyncEngine.lastOwner
            }
            return .leave
        }
    }

    /// This device has not the right to change the team.
    package static let notAnOwner = KeychainError(
        .writePermissions, "only an owner of the team changes its members",
        hint: "ask an owner: lanyard team members lists them")

    private static let tooManyDevices = KeychainError(
        .dataTooLarge, "the team has too many devices: this change of it has more than 6 MiB",
        hint: "remove all devices of an owner at once: lanyard team remove OWNER")

    private static let lastOwner = KeychainError(
        .param, "a team has at least one owner",
        hint: "give another device the role first: lanyard team role DEVICE owner")

    /// Adds an entry to the roster, which is stored only if the server has no change that is unknown here. If the
    /// server loses it, it gets it back with the next exchange.
    ///
    /// - Parameters:
    ///   - needsItems: Whether all items have to be exchanged first, without changes that are missing: the entry says
    ///     which ones count.
    ///   - make: Returns the change; nil if there is none to be made any more.
    private func change(
        isOwnersRight: Bool = true, needsItems: Bool = true,
        _ make: (Replica) throws(KeychainError) -> RosterEntry.Change?
    ) throws(KeychainError) {
        var deadline: Deadline?
        for attempt in 0... {
            var readsHead = false
            if attempt < SyncEngine.attemptLimit {
                if attempt > 0 {
                    wait(attempt - 1)
                }
                do throws(KeychainError) {
                    _ = try exchange()
                } catch {
                    // What can't be read can be a lie; what did not arrive can be changes that count.
                    guard !needsItems, [.decode, .wrongVersion].contains(error.status) else {
                        throw error
                    }
                    try takeOverRosterAlone()
                    readsHead = true
                }
            } else {
                // A device that writes all the time does not prevent that it is removed.
                deadline = deadline ?? Deadline(milliseconds: SyncLimits.removalTime)
                guard !needsItems, deadline?.hasPassed == false else {
                    break
                }
                try takeOverRosterAlone()
                readsHead = true
            }
            let role = replica.roster.devices[device.id]?.role
            guard role == .owner || role != nil && !isOwnersRight else {
                throw SyncEngine.notAnOwner
            }
            if needsItems {
                _ = try presentKey()
                let missing = missingDevices.compactMap { replica.roster.devices[$0]?.card }
                guard missing.isEmpty else {
                    throw SyncEngine.missing(missing)
                }
            }
            guard let change = try make(replica) else {
                return
            }
            let date = lastDate.map { now().later(than: $0) } ?? now()
            let entry = replica.roster.entry(change, by: device, date: date)
            lastDate = entry.date
            // Ways to a server pass a larger one on as empty.
            guard entry.bytes.count <= entrySizeLimit else {
                throw SyncEngine.tooManyDevices
            }
            // What this device would refuse, no other one may get.
            var next = replica.roster
            try next.append(entry)
            // Of what others stored since, the next exchange says which entry counts.
            let present = readsHead ? try transport.head() : headBeforeHidden ?? replica.server
            if try transport.putRoster(entry.bytes, at: present) == .stored {
                try takeOver(next, after: present)
                return
            }
        }
        throw SyncEngine.busy
    }

    /// Takes over the roster without any item.
    private func takeOverRosterAlone() throws(KeychainError) {
        let known = replica.server
        let since = ServerHead.afterRecords(0)
        var changes = try transport.changes(since: since)
        let before = replica.roster
        try replica.change { () throws(KeychainError) in
            changes = try restoringRoster(replica.roster, changes, since: since.sequence)
            var report = SyncReport()
            try takeOverRoster(changes, since: since, &report)
            if seesOnlyPart || !replica.roster.begins(with: before) {
                replica.summary.server = .start
            } else if known != .start {
                replica.summary.server = ServerHead(
                    sequence: known.sequence, rosterCount: changes.head.rosterCount)
            }
        }
    }
}
