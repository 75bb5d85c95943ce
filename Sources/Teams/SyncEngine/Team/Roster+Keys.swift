internal import LanyardSecrets

// The team's keys, as far as a device has them. Who makes one encrypts it to each device, with the key before it; that both
// are right, only those can tell for whom they are. So a wrong one is a missing key, and no error.
extension Roster {
    /// Returns the keys that a device has: those that count, the first generation first, then those of ``lost`` entries.
    ///
    /// - Throws: ``Status/decode`` if the device was never in the team, or an entry can't be read.
    func keys(of device: DeviceIdentity) throws(KeychainError) -> [TeamKey] {
        guard devices[device.id] != nil else {
            throw Roster.invalid
        }
        var keys: [TeamKey] = []
        // The last key of those that each device gets with the newest one, and of the others.
        var (shared, apart): (TeamKey?, TeamKey?) = (nil, nil)
        for index in renewals.indices.reversed() {
            let renewal = renewals[index].renewal
            var found = previous(of: shared, renewal) ?? previous(of: apart, renewal)
            if found == nil {
                found = key(in: try box(of: device.id, at: index)?.bytes, renewal, device)
            }
            guard let key = found else {
                continue
            }
            if key.reach == .all {
                shared = key
            } else {
                apart = key
            }
            keys.append(key)
        }
        return keys.reversed() + lostKeys(of: device)
    }

    /// Returns the device that made the newest key wrong for a device, or that hides the keys before one from devices that join.
    ///
    /// - Parameter keys: Those that the device has.
    /// - Returns: nil if there is none.
    func authorOfWrongKey(
        _ keys: [TeamKey], of device: Identifier
    ) throws(KeychainError) -> Identifier? {
        guard let first = keys.first(where: { $0.reach == .all })?.generation else {
            return try box(of: device, at: renewals.count - 1)?.author
        }
        return first > 1 ? entries[renewals[Int(first) - 1].position].author : nil
    }

    /// Returns the key that another one came with, if it is that of a renewal: who makes a key takes the newest one before it
    /// that it has.
    private func previous(of key: TeamKey?, _ renewal: TeamKeyRenewal) -> TeamKey? {
        guard let key,
            let secret = try? renewals[Int(key.generation) - 1].renewal.openPrevious(key.key)
        else {
            return nil
        }
        return try? TeamKey(secret, renewal, key.reach)
    }

    /// Returns the key of a generation as it was encrypted to a device, nil if it was not, and who did that.
    private func box(
        of device: Identifier, at index: Int
    ) throws(KeychainError) -> (bytes: [UInt8], author: Identifier)? {
        let position = renewals[index].position
        if let bytes = try entry(at: position).change.renewal?.boxes[device] {
            return (bytes, entries[position].author)
        }
        guard let added = devices[device], let (generation, bytes) = added.key,
            generation == renewals[index].renewal.generation
        else {
            return nil
        }
        return (bytes, entries[added.position].author)
    }

    /// Returns the key that was encrypted to a device, if it is the right one.
    private func key(
        in box: [UInt8]?, _ renewal: TeamKeyRenewal, _ device: DeviceIdentity,
        reach: TeamKey.Reach? = nil
    ) -> TeamKey? {
        guard let box, let secret = try? TeamKeyRenewal.open(box, renewal.generation, device) else {
            return nil
        }
        return try? TeamKey(
            secret, renewal, reach ?? (renewal.generation == generation ? .all : .some))
    }

    /// The keys of entries that do not count: what devices stored under one of them, stays readable for those that had it.
    private func lostKeys(of device: DeviceIdentity) -> [TeamKey] {
        lost.compactMap { checked in
            (try? RosterEntry(checked.bytes))?.change.renewal.flatMap { renewal in
                key(in: renewal.boxes[device.id], renewal, device, reach: .lost)
            }
        }
    }
}
