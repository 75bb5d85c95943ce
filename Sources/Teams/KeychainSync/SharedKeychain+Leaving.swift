package import KeychainServices
package import LanyardSecrets
package import SyncEngine

extension SharedKeychain {
    /// The other devices of the team, without recovery keys.
    package var otherDevices: [Roster.Device] {
        roster.present.filter { $0.card.id != card.id && !$0.card.isRecoveryKey }
    }

    /// Whether this device is an owner's, and no other device is.
    package var isLastOwner: Bool {
        roster.devices[card.id]?.role == .owner && !otherDevices.contains { $0.role == .owner }
    }

    /// Whether the team has other devices, and none of them could be its owner without this one.
    package var wouldLackOwner: Bool { isLastOwner && !isRemoved && !otherDevices.isEmpty }

    /// Whether the team has another owner, be it a recovery key.
    package var hasOtherOwner: Bool {
        roster.present.contains { $0.role == .owner && $0.card.id != card.id }
    }

    /// The number of items of which these devices' last changes are lost once they may make no more.
    ///
    /// - Throws: What reading the items throws.
    package func lostItems(
        without devices: Set<Identifier>
    ) throws(KeychainError) -> Int {
        try state.replica.lostItems(without: devices)
    }

    /// Takes this device out of the team, after a last exchange if its items can be
    /// exchanged, or ends its request to join. The keychain keeps its
    /// items, and is not shared any more.
    ///
    /// - Throws: ``Status/param`` if the team would have no owner; what an exchange throws. The keychain then stays
    ///   shared.
    package func leave() throws(KeychainError) {
        do throws(KeychainError) {
            if !isRemoved || !isMember {
                let engine = try engine()
                do throws(KeychainError) {
                    _ = try exchange(with: engine)
                } catch  where error.status == .decode {
                    // What others signed, or the server says, keeps no device in the team.
                }
                try state.change { () throws(KeychainError) in try engine.leave() }
            }
        } catch {
            // It was removed, an earlier attempt did not hear that it succeeded, or no owner approved it.
            guard error.status == .missingEntitlement else {
                throw error
            }
        }
        if !isMember {
            try connect(address, roster.team)
                .withdrawRequest(of: card.id, wait: SharedKeychain.wait)
        }
        try forget()
    }

    /// Ends the sharing here alone: the team still has this device.
    package func forget() throws(KeychainError) {
        try TeamDevice.remove(from: store)
        place.removeFiles(of: roster.team)
    }

    /// Ends the sharing here alone, if the file with the replica can't be read.
    ///
    /// - Throws: ``Status/databaseLocked`` if another program exchanges its items; what the store throws.
    package static func forget(
        _ place: Place, _ store: any KeychainStore
    ) throws(KeychainError) {
        let lock = try lock(place)
        try TeamDevice.remove(from: store)
        place.removeFiles(of: nil)
        extendLifetime(lock)
    }
}
