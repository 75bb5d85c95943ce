internal import LanyardCryptography
package import KeychainServices
internal import LinuxSystem
package import LanyardSecrets
package import SyncEngine

// A recovery key is in the roster as an owner's device. Its keys are derived from what is on the paper, and no machine
// has them.
extension SharedKeychain {
    /// Adds a recovery key of this device's owner to the team.
    ///
    /// - Parameter key: 20 random bytes.
    /// - Throws: ``Status/duplicateItem`` if the owner has one already; ``Status/writePermissions`` if this
    ///   device is no owner's; what an exchange throws.
    package func add(recoveryKey key: borrowing Secret) throws(KeychainError) {
        guard roster.devices[card.id]?.role == .owner else {
            throw KeychainError(
                .writePermissions, "only an owner of the team can make a recovery key",
                hint: "you need none: an owner approves your next device")
        }
        let identity = try SharedKeychain.identity(ofRecoveryKey: key, person: card.person)
        try changeRoster { engine throws(KeychainError) in
            try engine.add(identity.card, .owner) { roster throws(KeychainError) in
                let present = roster.present.map(\.card)
                guard !present.contains(where: { $0.isRecoveryKey && $0.person == card.person })
                else {
                    throw KeychainError(
                        .duplicateItem, "you have a recovery key for this team already",
                        hint: "lanyard team remove '\(card.person)/\(DeviceCard.recoveryKeyName)' "
                            + "--keychain \(name)")
                }
            }
        }
    }

    /// Removes the recovery key of this device's owner.
    ///
    /// - Throws: As ``add(recoveryKey:)``.
    package func removeRecoveryKey() throws(KeychainError) {
        let own = roster.present.map(\.card).filter {
            $0.isRecoveryKey && $0.person == card.person
        }
        try changeRoster(needsItems: false) { engine throws(KeychainError) in
            try engine.remove(Set(own.map(\.id)))
        }
    }

    private static func identity(
        ofRecoveryKey key: borrowing Secret, person: String
    ) throws(KeychainError) -> DeviceIdentity {
        try DeviceIdentity(
            person: person, name: DeviceCard.recoveryKeyName,
            seed: KeyDerivation.derive(key, label: "lanyard team recovery key"))
    }

    /// Brings a device into a team with its recovery key, as an owner's.
    ///
    /// - Parameters:
    ///   - code: That of the invitation on the paper.
    ///   - person: The owner's name; nil for that of the recovery key's owner.
    ///   - numbersDevice: Whether the device gets a number behind its name if that is taken.
    /// - Throws: ``Status/authFailed`` if the team does not have this recovery key; ``Status/decode`` if
    ///   the server shows another team, or not what the invitation names; ``Status/duplicateKeychain`` if the keychain
    ///   is shared already; ``Status/duplicateItem`` if the team has a device of these names; what the transport and
    ///   the store throw.
    package static func recover(
        _ place: Place, _ store: any KeychainStore, address: String, code: String,
        recoveryKey key: borrowing Secret, isForSynchronizable: Bool, person: String?,
        device name: String, numbersDevice: Bool = false, connect: @escaping Connect
    ) throws(KeychainError) -> SharedKeychain {
        let lock = try lock(place)
        let (transport, roster) = try reach(Invitation(code: code), place, address, connect)
        let id = try identity(ofRecoveryKey: key, person: "-").id
        guard let member = roster.devices[id], member.role == .owner else {
            PrivatePlace.removeFolder(
                Place.transportFolder(of: roster.team, stateFolder: place.stateFolder))
            throw KeychainError(
                .authFailed, "the team does not have this recovery key",
                hint: "an owner may have removed it: ask one for an invitation")
        }
        let sponsor = try identity(ofRecoveryKey: key, person: member.card.person)
        let device = try makeDevice(
            place, store, person: person ?? member.card.person, name: name,
            joining: roster, numbersDevice: numbersDevice)
        do throws(KeychainError) {
            // Before the team has the device: its keys would be of no use without the file.
            let state = try SharedState.make(
                at: place, roster, address: address, isForSynchronizable: isForSynchronizable,
                under: device.fileKey)
            // What the server showed to the recovery key, it has to show to this device.
            let engine = try engine(state.replica, sponsor, over: transport)
            try state.change { () throws(KeychainError) in
                try engine.add(device.identity.card, .owner)
            }
            return SharedKeychain(place, store, device, state, lock, connect: connect)
        } catch {
            undo(place, store, roster.team)
            throw error
        }
    }
}

extension DeviceCard {
    /// The name of recovery keys, which no other device can have.
    package static let recoveryKeyName = "recovery key"

    /// Whether it is that of a recovery key, which is no machine.
    package var isRecoveryKey: Bool { name == DeviceCard.recoveryKeyName }
}
